/** A text in both languages of the gateway. */
export interface LocalisedText {
  en: string;
  fr: string;
}
