import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, expect, test, vi } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import type { Verb } from '@/lib/kernel/verb'

// It loads every module that has verbs, which takes a busy machine a while.
vi.setConfig({ hookTimeout: 90_000 })

type Definition = Verb['definition'] & { transaction?: unknown }

/** Every verb that a module exports: what actions, addresses and commands are made of. */
const verbs: Definition[] = []

beforeAll(async () => {
  const files = readdirSync('lib', { recursive: true, encoding: 'utf8' })
  const withVerbs = files.filter(
    (file) =>
      /(?<!\.test|\.d)\.ts$/.test(file) && /\bverb\(\{/.test(readFileSync(`lib/${file}`, 'utf8')),
  )
  for (const file of withVerbs) {
    const exported: object = await import(/* @vite-ignore */ resolve('lib', file))
    for (const value of Object.values(exported)) if (isVerb(value)) verbs.push(value.definition)
  }
})

function isVerb(value: unknown): value is Verb {
  return typeof value === 'function' && 'definition' in value
}

const writes = ({ transaction }: Definition) => transaction !== false

test('every verb is named after its noun and what it does', () => {
  expect(verbs.length).toBeGreaterThan(100)
  const names = verbs.map(({ name }) => name)
  expect(names.filter((name) => !/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
})

test('an action of the audit is one verb: no two that write have the same name', () => {
  const names = verbs.filter(writes).map(({ name }) => name)
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})

test('a key that may only read changes nothing', () => {
  const reading = verbs.filter(({ scope }) => scope?.endsWith(':read'))
  expect(reading.length).toBeGreaterThan(20)
  expect(reading.filter(writes).map(({ name }) => name)).toEqual([])
  const changing = endpoints.filter(({ method }) => method !== 'GET')
  expect(changing.filter(({ scope }) => scope?.endsWith(':read'))).toEqual([])
})
