import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { CatalogueFile } from '@/lib/domains/models/catalogue/catalogue-file'
import {
  catalogueText,
  ModelsDev,
  type Refreshed,
  refreshCatalogue,
} from '@/lib/domains/models/catalogue/refresh-catalogue'
import { visibleText } from '@/lib/words/clean-text'

const folder = path.join(import.meta.dirname, '..', 'lib', 'domains', 'models', 'catalogue')
const providers = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'groq',
  'deepseek',
  'xai',
  'amazon-bedrock',
]
const mostBytes = 64 * 1024 * 1024

const usage = `Usage: npm run catalogue -- FILE [--read-on YYYY-MM-DD] [--add IDS] [--plan]

Brings the catalogue of models up to a saved copy of https://models.dev/api.json, and says what changes.
  --read-on  the day the file was fetched (default: the day it was last written)
  --add      models to take in, by their ids, separated by commas
  --plan     only say what would change
  --folder   where the files of the catalogue are (default: lib/domains/models/catalogue)`

const Day = z.iso.date().refine((day) => day <= new Date().toISOString().slice(0, 10))

function main(): number {
  const given = readArgs()
  if (typeof given === 'string') return fail(`${given}\n\n${usage}`)
  const { values, positionals } = given
  if (values.help) {
    process.stdout.write(`${usage}\n`)
    return 0
  }
  const [file, more] = positionals
  if (!file || more !== undefined) return fail(usage)
  const saved = statSync(file, { throwIfNoEntry: false })
  if (!saved) return fail(`There is no file ${file}.`)
  if (saved.size > mostBytes) return fail(`${file} is larger than 64 MiB.`)
  const day = Day.safeParse(values['read-on'] ?? saved.mtime.toISOString().slice(0, 10))
  if (!day.success) return fail('Give a day that is not in the future, such as 2026-11-23.')
  const list = readList(file)
  if (typeof list === 'string') return fail(list)
  const add = (values.add ?? '').split(',').map((id) => id.trim())
  const { plan = false, folder: to = folder } = values
  for (const name of providers) {
    const problem = refresh(path.join(to, `${name}.json`), list, { readOn: day.data, add, plan })
    if (problem) return fail(problem)
  }
  return 0
}

function readArgs() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'read-on': { type: 'string' },
        add: { type: 'string' },
        plan: { type: 'boolean' },
        folder: { type: 'string' },
        help: { type: 'boolean' },
      },
    })
  } catch (error) {
    return error instanceof Error ? error.message : 'The arguments cannot be read.'
  }
}

function readList(file: string): ModelsDev | string {
  try {
    const list = ModelsDev.safeParse(JSON.parse(readFileSync(file, 'utf8')))
    if (list.success) return list.data
    return `${file} is not a list of models.dev: ${z.prettifyError(list.error).slice(0, 500)}`
  } catch (error) {
    return `${file} is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`
  }
}

function refresh(
  at: string,
  list: ModelsDev,
  { plan, ...reading }: { readOn: string; add: readonly string[]; plan: boolean },
): string | null {
  const before = CatalogueFile.parse(JSON.parse(readFileSync(at, 'utf8')))
  if (!(before.modelsDev in list)) {
    process.stdout.write(`${before.name}: the file does not name this provider.\n`)
    return null
  }
  const result = refreshCatalogue(before, list, reading)
  const after = CatalogueFile.safeParse(result.file)
  if (!after.success) {
    return `The list says what the catalogue cannot hold for ${before.name}: ${z.prettifyError(after.error).slice(0, 500)}`
  }
  process.stdout.write(words(before.name, result))
  if (!plan) writeFileSync(at, catalogueText(after.data))
  return null
}

function words(name: string, { changes, missing, unknown }: Refreshed): string {
  const lines = [
    `${name}: ${changes.length === 0 ? 'no changes' : `${changes.length} changed`}`,
    ...changes.flatMap(({ id, fields }) => [`  ${id}`, ...fields.map((field) => `    ${field}`)]),
    ...(missing.length > 0 ? [`  not in the file: ${missing.join(', ')}`] : []),
    ...(unknown.length > 0 ? [`  not in the catalogue: ${unknown.join(', ')}`] : []),
  ]
  return `${lines.map(visibleText).join('\n')}\n`
}

function fail(sentence: string): number {
  process.stderr.write(`${sentence}\n`)
  return 1
}

process.exitCode = main()
