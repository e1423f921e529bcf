export function readPageData<Data>(): Data {
  const text = document.getElementById('page-data')?.textContent;
  if (!text) throw new Error('the page has no data');
  return JSON.parse(text) as Data;
}

export function pageElement(): HTMLElement {
  const element = document.getElementById('page');
  if (!element) throw new Error('the page has no element to draw in');
  return element;
}
