import cronstrue from 'cronstrue'

/** Minutes of an hour and hours of a day. A step that does not divide them begins anew with each hour or day. */
const lengths = [60, 24]

/** A list of values, or a range with or without a step. */
const values = new RegExp(
  '^(?:VALUE(?:,VALUE)*|VALUE-VALUE(?:/[0-9]+)?)$'.replaceAll('VALUE', '(?:[0-9]+|[a-z]{3})'),
  'i',
)

const mostCharacters = 120

/**
 * Returns a valid cron expression as a sentence: "At 08:00, Monday through Friday". Null = no short sentence says exactly the
 * same, so the expression itself is shown.
 */
export function cronWords(cron: string): string | null {
  const fields = cron.trim().split(/\s+/)
  if (!fields.every(isExact)) return null
  const words = cronstrue.toString(fields.join(' '), { use24HourTimeFormat: true })
  // Sunday is 0 and 7, so this may be one day or all.
  if (words.includes('Sunday through Sunday')) return null
  return words.length > mostCharacters ? null : words
}

/** Returns whether the library says this field exactly. */
function isExact(field: string, place: number): boolean {
  const [range, step = '1'] = field.split('/')
  if (range !== '*') return values.test(field)
  return (lengths[place] ?? 1) % Number(step) === 0
}
