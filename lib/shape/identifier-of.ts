import slugify from '@sindresorhus/slugify'
import { mostCharacters } from './identifier'

/**
 * Returns the identifier that a name suggests: "Zürich (fast)" gives "zuerich-fast", and "" stands for none. Apart from
 * the rules of identifiers, which many pages load, because the letters of all alphabets are 9 KB.
 */
export function identifierOf(name: string): string {
  const slug = slugify(name.normalize('NFKC'), { decamelize: false })
  return slug.slice(0, mostCharacters).replace(/-$/, '')
}
