/** Both elements are in every page that has a script. */
export const readPageData = <Data>(): Data =>
  JSON.parse(document.getElementById('page-data')!.textContent) as Data;

export const pageElement = (): HTMLElement => document.getElementById('page')!;
