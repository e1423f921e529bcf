const invisible = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Removes zero-width characters, direction marks and variation selectors. */
export const visibleText = (text: string): string => text.replace(invisible, '');
