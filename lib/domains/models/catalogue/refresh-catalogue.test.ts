import { execFileSync, spawnSync } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buildSync } from 'esbuild'
import { afterAll, describe, expect, test } from 'vitest'
import { CatalogueFile } from './catalogue-file'
import { catalogueText, type ModelsDev, refreshCatalogue } from './refresh-catalogue'

const here = import.meta.dirname
const names = readdirSync(here).filter((name) => name.endsWith('.json'))
const made = mkdtempSync(path.join(tmpdir(), 'catalogue-'))
afterAll(() => rmSync(made, { recursive: true }))

const file: CatalogueFile = {
  name: 'Made up',
  host: 'api.example.org',
  modelsDev: 'made-up',
  models: [
    {
      id: 'a-1',
      name: 'A 1',
      aliases: ['a-latest'],
      contextTokens: 1_000,
      maxOutputTokens: null,
      toolCalling: 'unconfirmed',
      structuredOutput: null,
      vision: null,
      reasoning: null,
      reasoningEfforts: [],
      unsupportedParameters: ['seed'],
      usd: { input: '1.00', output: '2.00' },
      longPrompts: null,
      note: 'Kept.',
      sources: ['https://example.org/prices'],
      readOn: '2026-01-02',
    },
    {
      id: 'b',
      name: 'B',
      aliases: [],
      contextTokens: null,
      maxOutputTokens: null,
      toolCalling: 'confirmed',
      structuredOutput: null,
      vision: null,
      reasoning: null,
      reasoningEfforts: [],
      unsupportedParameters: [],
      usd: null,
      longPrompts: null,
      note: null,
      sources: ['https://example.org/b'],
      readOn: '2026-01-02',
    },
  ],
}
const list: ModelsDev = {
  'made-up': {
    models: {
      'a-latest': {
        id: 'a-latest',
        name: 'A',
        tool_call: true,
        structured_output: true,
        reasoning: true,
        temperature: false,
        reasoning_options: [
          { type: 'toggle' },
          { type: 'effort', values: ['low', 'max', 'none', 'high'] },
        ],
        modalities: { input: ['text', 'image'] },
        limit: { context: 2_000, output: 500 },
        cost: {
          input: 1,
          output: 3.5,
          cache_read: 0.0833,
          tiers: [
            { tier: { size: 500 }, input: 9, output: 9 },
            { context: { min: 100 }, input: 2, output: 7 },
          ],
        },
      },
      new: {
        id: 'new',
        name: 'New',
        tool_call: true,
        cost: { input: 0, output: 1e-7, context_over_200k: { input: 1, output: 2 } },
      },
      mute: { id: 'mute', name: 'Mute', tool_call: false },
    },
  },
}

describe('a refresh', () => {
  test('takes the facts of the list with their source and day, and keeps the rest', () => {
    const result = refreshCatalogue(file, list, { readOn: '2026-11-20', add: [] })
    expect(result.file.models[0]).toEqual({
      id: 'a-1',
      name: 'A 1',
      aliases: ['a-latest'],
      contextTokens: 2_000,
      maxOutputTokens: 500,
      toolCalling: 'confirmed',
      structuredOutput: true,
      vision: true,
      reasoning: true,
      reasoningEfforts: ['none', 'low', 'high', 'max'],
      unsupportedParameters: ['seed', 'temperature', 'topP'],
      usd: { input: '1.00', output: '3.50', cachedInput: '0.0833' },
      longPrompts: { aboveTokens: 100, usd: { input: '2.00', output: '7.00' } },
      note: 'Kept.',
      sources: ['https://models.dev/api.json', 'https://example.org/prices'],
      readOn: '2026-11-20',
    })
    expect(result.file.models[1]).toEqual(file.models[1])
    expect(result.changes.map(({ id }) => id)).toEqual(['a-1'])
    expect(result.changes[0]?.fields).toContain('contextTokens: 1000 -> 2000')
    expect(result).toMatchObject({ missing: ['b'], unknown: ['new'] })
    const again = refreshCatalogue(result.file, list, { readOn: '2026-11-21', add: [] })
    expect(again.changes).toEqual([])
    expect(again.file.models[0]).toMatchObject({ readOn: '2026-11-21' })
    expect(again.file.models[0]?.sources).toHaveLength(2)
  })

  test('does not go back to an older list', () => {
    const result = refreshCatalogue(file, list, { readOn: '2026-01-01', add: [] })
    expect(result.file).toEqual(file)
  })

  test('takes in models that were asked for; a price finer than a micro-dollar is unknown', () => {
    const result = refreshCatalogue(file, list, { readOn: '2026-11-20', add: ['new', 'mute'] })
    expect(result.file.models.at(-1)).toMatchObject({
      id: 'new',
      toolCalling: 'confirmed',
      usd: null,
      longPrompts: { aboveTokens: 200_000 },
    })
    expect(result.changes.at(-1)).toEqual({ id: 'new', fields: ['new'] })
    expect(CatalogueFile.safeParse(result.file).success).toBe(true)
  })
})

test.each(names)('%s is written as the formatter writes it', (name) => {
  const text = readFileSync(path.join(here, name), 'utf8')
  expect(catalogueText(CatalogueFile.parse(JSON.parse(text)))).toBe(text)
})

describe('npm run catalogue', () => {
  const script = path.join(here, '../../../../scripts/catalogue.ts')
  // Compiled once: a start of the sources takes longer than all that these tests do.
  const compiled = path.join(made, 'catalogue.mjs')
  buildSync({
    entryPoints: [script],
    outfile: compiled,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const args = [compiled, '--folder', made]
  for (const name of names) cpSync(path.join(here, name), path.join(made, name))
  const before = readFileSync(path.join(made, 'xai.json'), 'utf8')
  const saved = path.join(made, 'api.saved')
  writeFileSync(
    saved,
    JSON.stringify({
      xai: { models: { 'grok-4.7': { id: 'grok-4.7', name: '4.7', limit: { context: 7 } } } },
    }),
  )

  test('says what a file changes, and writes it', () => {
    const plan = execFileSync(process.execPath, [...args, saved, '--plan']).toString()
    expect(plan).toContain('xAI: 1 changed\n  grok-4.7\n')
    expect(plan).toContain('contextTokens: 500000 -> 7')
    expect(plan).toContain('OpenAI: the file does not name this provider.')
    expect(readFileSync(path.join(made, 'xai.json'), 'utf8')).toBe(before)
    execFileSync(process.execPath, [...args, saved])
    const [model] = CatalogueFile.parse(
      JSON.parse(readFileSync(path.join(made, 'xai.json'), 'utf8')),
    ).models
    expect(model).toMatchObject({
      contextTokens: 7,
      readOn: statSync(saved).mtime.toISOString().slice(0, 10),
    })
  })

  test('explains itself', () => {
    const sources = ['--import', 'tsx', '--conditions=react-server', script]
    const help = execFileSync(process.execPath, [...sources, '--help']).toString()
    expect(help).toContain('Usage: npm run catalogue -- FILE')
  })

  test.each([
    [['missing.json'], 'There is no file missing.json.'],
    [[saved, '--read-on', '2999-01-01'], 'not in the future'],
    [[path.join(here, 'xai.json')], 'not a list of models.dev'],
    [[], 'Usage:'],
    [[saved, '--read-in', '2026-11-22'], 'Usage:'],
  ])('refuses %s', (further, words) => {
    const { status, stderr } = spawnSync(process.execPath, [...args, ...further])
    expect([status, stderr.toString()]).toEqual([1, expect.stringContaining(words)])
  })
})
