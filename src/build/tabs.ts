interface Panel {
  name: string;
  /** HTML. */
  html: string;
}

/**
 * Tabs for the script of the pages. Without the script, all panels show, each under its name.
 * @param group one choice for all lists of the group, which the browser remembers; default: a choice for this list
 */
export function tabs(id: string, label: string, panels: readonly Panel[], group?: string): string {
  const named = panels.map((panel) => ({
    ...panel,
    id: `${id}-${panel.name.toLowerCase().replace(/\W+/g, '-')}`,
  }));
  const buttons = named.map(
    (panel) =>
      `<button type="button" role="tab" id="${panel.id}-tab" aria-controls="${panel.id}">${panel.name}</button>`,
  );
  // Only the first shows before the script has run, so that the page does not shift.
  const shown = named.map(
    (panel, index) =>
      `<div role="tabpanel" id="${panel.id}" aria-labelledby="${panel.id}-tab" data-name="${panel.name}"${index > 0 ? ' hidden' : ''}>\n${panel.html}\n</div>`,
  );
  return `<div role="tablist" aria-label="${label}"${group ? ` data-group="${group}"` : ''}>${buttons.join('')}</div>\n${shown.join('\n')}`;
}
