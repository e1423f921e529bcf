const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** A text without zero-width characters, marks of direction and selectors of variants, which nobody sees in a name. */
export const visibleText = (text: string): string => text.replace(invisible, '');
