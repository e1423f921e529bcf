/** Gives GraphiQL's tabs the roles of a list: screen readers don't find the close button inside a tab. */
export function showAsList(page: HTMLElement): void {
  const rename = (): void => {
    for (const list of page.querySelectorAll('.graphiql-tabs[role=tablist]'))
      list.setAttribute('role', 'list');
    for (const item of page.querySelectorAll('.graphiql-tab[role=tab]'))
      item.setAttribute('role', 'listitem');
    for (const item of page.querySelectorAll('.graphiql-tab[aria-selected]')) {
      item.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', item.ariaSelected ?? 'false');
      item.removeAttribute('aria-selected');
    }
  };
  // GraphiQL sets the roles again when a tab is opened or selected.
  new MutationObserver(rename).observe(page, {
    subtree: true,
    childList: true,
    attributeFilter: ['role', 'aria-selected'],
  });
}
