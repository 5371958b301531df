import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '@/lib/installation/migrate'
import { ConfigurationForm } from '@/lib/protocol/parameters/configuration-form'
import {
  ConfigurationParameters,
  defaultOptions,
  defaultParameters,
} from '@/lib/protocol/parameters/parameters'
import { RunSnapshot } from '@/lib/protocol/run/run-snapshot'
import { runSnapshot } from '@/tests/support/run-fixture'
import { createTestDatabase } from '@/tests/support/test-database'

const id = (digit: number) => `0199aaaa-0000-7000-8000-00000000000${digit}`

test('parameters that had columns of their own are kept, beside the options', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'toolgate-parameters-'))
  const database = await createTestDatabase('_parameters', { migrated: false })
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  try {
    const names = (await readMigrations()).map(({ name }) => name)
    const last = names.findIndex((name) => name.endsWith('_configuration_parameters'))
    for (const name of names.slice(0, last)) {
      await cp(path.join(MIGRATIONS_FOLDER, `${name}.sql`), path.join(folder, `${name}.sql`))
    }
    await migrate(database.url, folder)
    await client.query(
      `INSERT INTO connections (id, name, wire, "trustZone", "updatedAt")
       VALUES ('${id(1)}', 'Near', 'ollama', 'local', now())`,
    )
    await client.query(
      `INSERT INTO models (id, "connectionId", "modelId", "displayName", "updatedAt")
       VALUES ('${id(2)}', '${id(1)}', 'm', 'M', now())`,
    )
    const options = { verbosity: 'low', promptCaching: false, outputSchema: '{"z":1,"a":2}' }
    await client.query(
      `INSERT INTO configurations (id, identifier, name, "modelId", temperature, "topP", "maxOutputTokens", stop, seed,
         "reasoningEffort", options, "updatedAt")
       VALUES ('${id(3)}', 'set', 'Set', '${id(2)}', 0.7, 0.95, 12000, $1, -3, 'low', $2, now()),
         ('${id(4)}', 'unset', 'Unset', '${id(2)}', NULL, NULL, NULL, NULL, NULL, NULL, '{}', now())`,
      [['END', 'a\n"b"'], options],
    )
    await migrate(database.url)
    const { rows } = await client.query('SELECT parameters FROM configurations ORDER BY identifier')
    expect(rows.map(({ parameters }) => ConfigurationParameters.parse(parameters))).toEqual([
      {
        ...defaultParameters,
        temperature: 0.7,
        topP: 0.95,
        maxOutputTokens: 12_000,
        stop: ['END', 'a\n"b"'],
        seed: -3,
        reasoningEffort: 'low',
        verbosity: 'low',
        promptCaching: false,
        outputSchema: { z: 1, a: 2 },
      },
      defaultParameters,
    ])
  } finally {
    await client.end()
    await database.drop()
    await rm(folder, { recursive: true })
  }
})

test('versions and journals from before a parameter are read with its default value', () => {
  const { options: _, ...old } = runSnapshot()
  const parameters = { temperature: 0.2, maxOutputTokens: 100, stop: ['END'] }
  expect(RunSnapshot.parse({ ...old, parameters })).toEqual({
    ...old,
    parameters: { ...runSnapshot().parameters, ...parameters },
  })
  const form = ConfigurationForm.parse({
    identifier: 'old',
    name: 'Old',
    description: '',
    enabled: true,
    model: { id: 'm', name: 'M', connection: 'Near' },
    fallbacks: [],
    systemPrompt: '',
    temperature: 0.2,
    toolMode: 'auto',
    maxRounds: 5,
    timeLimitMs: 600_000,
    costCapMicroUsd: null,
    costCapMode: 'warn',
    allowedToolGroups: null,
    raisedDataClass: null,
    fourEyes: false,
    groups: [],
    skills: [],
  })
  expect(form).toMatchObject({ temperature: 0.2, seed: null, stop: [], options: defaultOptions })
})
