/**
 * Rules of robots.txt for this program and for all programs: the sitemaps it names, and the paths that may be followed.
 */
export type Robots = { sitemaps: string[]; allows: (path: string) => boolean }

/** As much is read as other robots read. */
const mostCharacters = 500 * 1024
const mostRules = 500
const mostPattern = 500
const mostSitemaps = 20
const ours = new Set(['*', 'toolgate'])

type Rule = { pattern: string; isAllowed: boolean }

/**
 * Returns what a robots.txt says. Rules for `Toolgate` and for `*` both count; of the rules that fit a path, the longest one decides,
 * and one that allows before one that does not.
 */
export function parseRobots(text: string): Robots {
  const sitemaps: string[] = []
  const rules: Rule[] = []
  let [isOurs, isNaming] = [false, false]
  for (const line of text.slice(0, mostCharacters).split(/\r\n|\r|\n/)) {
    const [, field = '', value = ''] = /^\s*([a-z-]{1,20})\s*:([^#]*)/i.exec(line) ?? []
    const name = field.toLowerCase()
    const said = value.trim()
    if (name === 'sitemap' && sitemaps.length < mostSitemaps) {
      sitemaps.push(sitemapOf(line))
    } else if (name === 'user-agent') {
      isOurs = (isNaming && isOurs) || ours.has(said.toLowerCase())
      isNaming = true
    } else if (name === 'allow' || name === 'disallow') {
      isNaming = false
      // An empty one refuses nothing.
      if (!isOurs || said === '' || rules.length >= mostRules) continue
      rules.push({ pattern: said.slice(0, mostPattern), isAllowed: name === 'allow' })
    }
  }
  const byLength = rules.toSorted(
    (a, b) => b.pattern.length - a.pattern.length || Number(b.isAllowed) - Number(a.isAllowed),
  )
  const allows = (path: string) => byLength.find((rule) => fits(path, rule))?.isAllowed ?? true
  return { sitemaps, allows }
}

/** Returns the address of a line, which may have the sign that begins a comment in it. */
function sitemapOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).trim()
}

/** Returns whether a path fits a pattern, in which `*` stands for anything and `$` at the end for the end of the path. */
function fits(path: string, { pattern }: Rule): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = isWhole ? parts.pop() : undefined
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  if (!isWhole) return true
  if (last === undefined) return path.length === at
  return path.length - last.length >= at && path.endsWith(last)
}
