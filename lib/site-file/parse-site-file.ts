import { z } from 'zod'
import { ValidationError } from '@/lib/kernel/errors'
import { parsePlainYaml } from '@/lib/kernel/plain-yaml'
import { entrySchemas, keys, siteFileVersion, type WrittenFile } from './site-file'

const maxBytes = 8 * 1024 * 1024

/** Returns the section of each kind: its entries, of which each says at least its keys. */
function sections(): Record<string, z.ZodType> {
  const needed = new Map<string, object>(Object.entries(keys))
  const each = Object.entries(entrySchemas).map(([kind, { shape }]): [string, z.ZodType] => {
    return [kind, section(shape, Object.keys(needed.get(kind) ?? {}))]
  })
  return Object.fromEntries(each)
}

function section(entry: Record<string, z.ZodType>, needed: readonly string[]): z.ZodType {
  const shape = Object.entries(entry).map(([name, schema]) => [
    name,
    needed.includes(name) ? schema : schema.optional(),
  ])
  return z
    .array(z.strictObject(Object.fromEntries(shape)))
    .max(5_000)
    .default([])
}

const SiteFile = z.strictObject({
  ...sections(),
  toolgate: z.literal([1, siteFileVersion], 'Start with the line "toolgate: 2".'),
})

/** Reads a site file, at most 8 MiB of YAML. Throws ValidationError that names the place. */
export function parseSiteFile(text: string): WrittenFile {
  if (Buffer.byteLength(text) > maxBytes) {
    throw new ValidationError({ file: 'The file is larger than 8 MiB.' })
  }
  const parsed = SiteFile.safeParse(parsePlainYaml(text, { subject: 'The file' }))
  if (!parsed.success) throw new ValidationError({ file: placesOf(parsed.error) })
  const { toolgate: version, ...kinds } = parsed.data
  // The schemas of the kinds are those of `EntryOf`; what makes their fields optional loses that to the compiler.
  return { ...kinds, version } as unknown as WrittenFile
}

/** Returns "models 1, connection: …", the first few errors. */
function placesOf({ issues }: z.ZodError): string {
  const sentences = issues.slice(0, 5).map(({ path, message }) => {
    const place = path
      .map((part) => (typeof part === 'number' ? ` ${part + 1}` : `, ${String(part)}`))
      .join('')
      .replace(/^, /, '')
    return place === '' ? message : `${place}: ${message}`
  })
  return sentences.join(' ')
}
