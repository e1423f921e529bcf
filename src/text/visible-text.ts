const invisible = '\\p{Cf}\\p{Default_Ignorable_Code_Point}';
const anyInvisible = new RegExp(`[${invisible}]`, 'gu');
/** U+2800 is the space of Braille. */
const visible = new RegExp(`[^${invisible}\\s\\u2800]`, 'u');

/** Removes zero-width characters, direction marks and variation selectors. */
export const visibleText = (text: string): string => text.replace(anyInvisible, '');

/** Whether the text has only spaces and invisible characters. */
export const isBlank = (text: string): boolean => !visible.test(text);
