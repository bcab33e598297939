/** Ways from the keyboard to what one looks for. */
import { useCommand } from '#ui/commands.ts'

export function useFindingCommands(): void {
  useCommand({
    id: 'shell.search',
    label: 'Search on this page',
    group: 'View',
    keywords: 'find filter field',
    keys: '/',
    run: focusSearchField,
  })
}

/** The page's own field; one in a tab that is not shown is none. */
function focusSearchField(): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('main [data-search-field]')]
  fields.find((field) => field.offsetParent !== null)?.select()
}
