import { firstWords } from './clean-text'

const mostCharacters = 60

/**
 * Returns the title of a page below a section: "Ana · Users". The tab adds the product, and the breadcrumbs read the name from it.
 * `section` is what the navigation calls the page above.
 */
export function pageTitle(name: string, section: string): { title: string } {
  return { title: `${firstWords(name, mostCharacters)} · ${section}` }
}
