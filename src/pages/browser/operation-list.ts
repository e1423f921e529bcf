/** Names the tabs of GraphiQL as a list: a screen reader does not find the button that closes an operation within its tab. */
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
  // GraphiQL sets them again when a tab is opened or turned to.
  new MutationObserver(rename).observe(page, {
    subtree: true,
    childList: true,
    attributeFilter: ['role', 'aria-selected'],
  });
}
