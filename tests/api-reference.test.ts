import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  defaultSettings,
  settingNames,
  settingShape,
  settingWords,
} from '@/lib/domains/settings/shape'
import { endpoints } from '@/lib/doors/api/endpoints'
import { type DescribedEndpoint, type DescribedField, describeEndpoint } from '@/lib/doors/openapi'
import { ApiScope, scopesBeyondLimits, scopesOf, sensitiveAmong } from '@/lib/protocol/api-scope'
import { denialWords, gateTitle } from '@/lib/protocol/gate-answers'
import { scopeWords } from '@/lib/protocol/scope-words'
import { gateNames } from '@/lib/protocol/tool'
import type { AnyResource } from '@/lib/shape/resource'
import { requestNotes } from './support/request-notes'

test('docs/api-reference.md lists the requests, scopes, settings and gates of the code', async () => {
  const document = [
    introduction,
    `## Requests\n\n${requestsText(await readOrders())}`,
    `## Scopes\n\n${scopesIntroduction}\n\n${scopesTable()}\n`,
    `## Settings\n\n${settingsIntroduction}\n\n${settingsTable()}\n`,
    `## Gates\n\n${gatesIntroduction}\n\n${gatesTable()}\n`,
  ].join('\n')
  const advice =
    'The API changed: write it again with `npx vitest run tests/api-reference.test.ts -u`.'
  await expect(document, advice).toMatchFileSnapshot('../docs/api-reference.md')
})

test('every note is about a request that is served', () => {
  const served = endpoints.map(addressOf)
  expect(Object.keys(requestNotes).filter((request) => !served.includes(request))).toEqual([])
})

const introduction = `# Reference of the HTTP API

This list is made from the code that answers the requests. [The HTTP API and the command line](api.md) explains what applies to all of
them, and has examples.
`

const scopesIntroduction = `Sensitive scopes and limited keys are explained in [the API](api.md#sensitive-scopes). No scope allows
[what no key may do](api.md#what-no-key-may-do).`

const settingsIntroduction = `\`PATCH /settings\` takes the first name, \`bin/toolgate setting set\` the second one. Durations are in
milliseconds over HTTP. Settings that no key may change are changed on the console or in a terminal.`

const gatesIntroduction = `They are asked in this order, and the first one that says no decides ([explain](api.md#explain)).`

/** The keys by which a list can be ordered, and its default order, by the request of the list. */
type Orders = ReadonlyMap<string, Pick<AnyResource, 'sorts' | 'order'>>

/** Returns the orders of the lists that are made from the shape of a resource. */
async function readOrders(): Promise<Orders> {
  const files = readdirSync('lib/domains')
    .map((noun) => path.resolve('lib/domains', noun, 'shape.ts'))
    .filter((file) => existsSync(file))
  const modules: object[] = await Promise.all(files.map((file) => import(/* @vite-ignore */ file)))
  const resources = modules.flatMap((each) => Object.values(each)).filter(isResource)
  expect(resources.length).toBeGreaterThan(10)
  return new Map(resources.map((resource) => [`GET /${resource.nouns}`, resource]))
}

function isResource(value: unknown): value is AnyResource {
  return typeof value === 'object' && value !== null && 'nouns' in value && 'sorts' in value
}

function requestsText(orders: Orders): string {
  const described = endpoints.map(describeEndpoint)
  const tags = [...new Set(described.map(({ tag }) => tag))].sort()
  const parts = tags.map((tag) => {
    const requests = described.filter((endpoint) => endpoint.tag === tag)
    return `### ${tag}\n\n${requests.map((request) => requestText(request, orders)).join('\n')}`
  })
  return parts.join('\n')
}

function requestText(endpoint: DescribedEndpoint, orders: Orders): string {
  const { method, path, summary, scopes, role, parameters, body, answers } = endpoint
  const request = addressOf(endpoint)
  const note = requestNotes[request]
  const query = parameters.filter((field) => field.in === 'query')
  const forAdmins = role === 'admin' ? ', for admins' : ''
  const needed = scopes.length === 0 ? 'the session of the console' : scopes.map(code).join(', ')
  const facts = [
    `Needs: ${needed}${forAdmins}`,
    ...(query.length > 0 ? [`Query: ${query.map(fieldText).join(', ')}`] : []),
    ...(query.some(({ name }) => name === 'sort')
      ? orderFacts(orders.get(`${method} ${path}`))
      : []),
    ...bodyFacts(body),
    `Answer: ${answers.map(({ status, type }) => `${status} ${answerText(type)}`).join(', ')}`,
  ]
  const list = facts.map((fact) => `- ${fact}`).join('\n')
  return `#### \`${request}\`\n\n${summary}${note ? `\n\n${note}` : ''}\n\n${list}\n`
}

/** Returns the method with the address, such as `GET /runs/:runId`. */
function addressOf({ method, path }: Pick<DescribedEndpoint, 'method' | 'path'>): string {
  return `${method} ${path.replace(/\{(\w+)\}/g, ':$1')}`
}

function orderFacts(orders: Pick<AnyResource, 'sorts' | 'order'> | undefined): string[] {
  if (orders === undefined) return []
  return [
    `Values of \`sort\`: ${orders.sorts.map(code).join(', ')}; by default \`${orders.order}\``,
  ]
}

function bodyFacts(body: DescribedEndpoint['body']): string[] {
  if (typeof body === 'string') return ['Body: the bytes of a file']
  return body.length > 0 ? [`Body: ${body.map(fieldText).join(', ')}`] : []
}

function fieldText({ name, type, required }: DescribedField): string {
  return `\`${name}\` (${type}${required ? ', required' : ''})`
}

function answerText(type: string): string {
  return type.startsWith('{') ? code(type) : type
}

function scopesTable(): string {
  const rows = ApiScope.options.map((scope) => [
    code(scope),
    scopeWords[scope],
    scopesOf('member').includes(scope) ? 'everyone' : 'admins',
    sensitiveAmong([scope]).length > 0 ? 'sensitive' : '',
    scopesBeyondLimits([scope]).length > 0 ? 'no' : 'yes',
  ])
  return table(['scope', 'allows', 'for', 'sensitive', 'for limited keys'], rows)
}

function settingsTable(): string {
  const rows = settingNames.map((name) => {
    const shape = settingShape[name]
    const { command } = shape
    return [
      code(name),
      code(command.name),
      command.about,
      command.values,
      settingWords(name, defaultSettings),
      'personsAct' in shape ? 'no' : 'yes',
    ]
  })
  return table(['over HTTP', 'in a terminal', 'meaning', 'values', 'default', 'by a key'], rows)
}

function gatesTable(): string {
  const rows = gateNames.map((gate) => [code(gate), gateTitle({ gate }), denialWords({ gate })])
  return table(['gate', 'name', 'words when it says no'], rows)
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function code(text: string): string {
  return `\`${text}\``
}
