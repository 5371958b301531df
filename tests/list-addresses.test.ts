import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { mostAddressBytes, mostAddressParts } from '@/lib/edge/request-limits'

type Field = { type?: string; format?: string; maxLength?: number; enum?: string[]; const?: string }

const byFormat: Record<string, string> = {
  uuid: '01890000-0000-7000-8000-000000000000',
  'date-time': '2026-12-31T23:59:59.999+00:00',
}
const numbers = ['999999.999999', '100000', '200', '100', '1']
/** The longest letter of everyday writing stands for words of people; all other filters name something by id or plain letters. */
const letters = { search: '漢', tag: '漢' } as Record<string, string>
/** For the order of a list, which no schema tells, and what the framework adds. */
const forOrder = 100
const otherTexts = [
  'America/Argentina/ComodRivadavia',
  'America/Argentina/Buenos_Aires',
  'last-30-days',
  '30d',
  '-started',
  '1',
]

/** Returns values for a field of an address, the longest first. Not every list takes each of them. */
function valuesOf(
  name: string,
  { type, format = '', maxLength = 0, enum: words = [], const: word }: Field,
): string[] {
  if (type === 'integer' || type === 'number') return numbers
  const known = [...words, word, byFormat[format]].filter((each) => each !== undefined)
  if (known.length > 0) return known.toSorted((a, b) => b.length - a.length)
  const letter = letters[name] ?? 'x'
  return [letter.repeat(maxLength), letter.repeat(32), ...otherTexts]
}

/** Returns the longest query of a list: all of its filters at once, each as long as the list takes it. */
function longestQuery(filter: z.ZodObject): string {
  const { properties = {} } = z.toJSONSchema(filter, { io: 'input', unrepresentable: 'any' })
  const pairs = Object.entries(properties as Record<string, Field>).map(([name, field]) => {
    const isTaken = (value: string) => (filter.shape[name] as z.ZodType).safeParse(value).success
    return [name, valuesOf(name, field).find((value) => value !== '' && isTaken(value)) ?? '']
  })
  return new URLSearchParams(pairs).toString()
}

/** Returns the filters of all lists, by the names of what exports them. Pages, API and terminal share them. */
async function listFilters(): Promise<[string, z.ZodObject][]> {
  const files = ['app', 'lib'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  )
  const own = files.filter(
    (file) =>
      /(?<!\.test)\.ts$/.test(file) &&
      !file.startsWith('lib/generated/') &&
      /export const \w+(Filter|Query) = |= resource\(/.test(readFileSync(file, 'utf8')),
  )
  const found = await Promise.all(
    own.map(async (file) => Object.entries(await import(/* @vite-ignore */ resolve(file)))),
  )
  return found.flat().flatMap(([name, value]): [string, z.ZodObject][] => {
    const filter = /(Filter|Query)$/.test(name) ? value : (value as { Filter?: unknown })?.Filter
    return filter instanceof z.ZodObject ? [[name, filter]] : []
  })
}

test('all filters of a list at once, each as long as it may be, fit into an address', async () => {
  const filters = await listFilters()
  expect(filters.length).toBeGreaterThan(25)
  for (const [name, filter] of filters) {
    const query = longestQuery(filter)
    expect(query.length + forOrder, name).toBeLessThanOrEqual(mostAddressBytes)
    expect(query.split('&').length, name).toBeLessThan(mostAddressParts)
  }
})
