import { expect, test } from 'vitest'
import { servers } from '@/lib/domains/servers/shape'
import { filledFrom, missingOf } from './fill-known-server'
import { type KnownServer, knownServers } from './known-servers'

const known = (name: string): KnownServer => {
  const found = knownServers.find((each) => each.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return found
}

/** Returns the values of a known server with `value` at the end of each line that a person fills in. */
function given(each: KnownServer, value: string) {
  const { command, headers, variables, ...rest } = {
    headers: '',
    variables: '',
    command: '',
    ...filledFrom(each),
  }
  const filled = (text: string) => (/[=: ]$/.test(text) ? text + value : text)
  return {
    ...rest,
    ...(command && { command: filled(command) }),
    ...(headers && { headers: filled(headers) }),
    ...(variables && { variables: filled(variables) }),
  }
}

test.each(knownServers)('$name is a server once what it asks for is given', (each) => {
  expect(servers.Create.safeParse(given(each, 'a-value'))).toMatchObject({ success: true })
  expect(missingOf(each, given(each, 'a-value'))).toEqual({})
  const places = [...new Set(each.asks.map((input) => input.in))]
  expect(Object.keys(missingOf(each, filledFrom(each)))).toEqual(places)
  expect(missingOf(each, {})).toEqual(missingOf(each, filledFrom(each)))
})

test('each has a name of its own, a sentence, and the page where it was read', () => {
  expect(new Set(knownServers.map(({ name }) => name)).size).toBe(knownServers.length)
  for (const { does, source, checkedOn } of knownServers) {
    expect(does).toMatch(/^[A-Z].*\.$/)
    expect(new URL(source).protocol).toBe('https:')
    expect(checkedOn).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  }
})

test('a missing value is named beside its field, also when its line was removed', () => {
  const folder = 'Add the folders that it may use at the end of the command.'
  expect(missingOf(known('filesystem'), filledFrom(known('filesystem')))).toEqual({
    command: folder,
  })
  const github = {
    headers: 'Authorization has no value yet. Enter a personal access token of GitHub.',
  }
  for (const headers of ['Authorization: Bearer ', 'Authorization:', 'X-Team: a', '', null]) {
    expect(missingOf(known('github'), { headers })).toEqual(github)
  }
  expect(missingOf(known('notion'), { variables: 'NOTION_TOKEN=' })).toEqual({
    variables: 'NOTION_TOKEN has no value yet. Enter the secret of an integration of Notion.',
  })
})

test('lines that cannot be read are left to what reads them', () => {
  expect(missingOf(known('github'), { headers: 'no header' })).toEqual({})
})
