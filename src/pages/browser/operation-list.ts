/**
 * GraphiQL makes each open operation a tab, with the button that closes it inside the tab, where a screen reader does
 * not find it. The same elements are named as what they also are: a list, each item of which holds two buttons.
 */
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
