import { findConnection, listConnections, readConnection } from '@/lib/domains/connections/reads'
import type {
  ConnectionListing,
  ConnectionTrouble,
  CreateConnection,
  UpdateConnection,
} from '@/lib/domains/connections/schemas'
import { updateConnection } from '@/lib/domains/connections/update-connection'
import {
  createConnection,
  deleteConnection,
  setConnectionHeaders,
} from '@/lib/domains/connections/verbs'
import { testConnection } from '@/lib/probes/test-connection'
import { failureName } from '@/lib/protocol/mend'
import { secretsHost } from '@/lib/protocol/secrets-host'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { exitCodes } from './exit-codes'
import { shellWord } from './mend-command'
import { printJson, printLine, printTable } from './print'
import { readSecret } from './read-standard-input'

/** What `add` and `change` say alike; null = its default again. */
type FactOptions = {
  baseUrl?: string | null
  setting?: Record<string, string>
  organisation?: string | null
  allowPrivate?: boolean
  connectTimeout?: number | null
  firstByteTimeout?: number | null
  idleTimeout?: number | null
  maxTries?: number
}
export type AddConnectionOptions = CommonOptions &
  FactOptions &
  Pick<CreateConnection, 'name' | 'trustZone' | 'confirmZone' | 'reason'> & {
    apiType: CreateConnection['wire']
    keyStdin?: boolean
  }
export type ChangeConnectionOptions = CommonOptions &
  FactOptions &
  Pick<UpdateConnection, 'name' | 'trustZone' | 'confirmZone' | 'reason'> & {
    apiType?: UpdateConnection['wire']
    keyStdin?: boolean
    removeKey?: boolean
  }
export type ReasonOptions = CommonOptions & { reason?: string }
export type HeaderOptions = CommonOptions & { set?: string; remove?: string[] }

export async function printConnections(options: CommonOptions): Promise<void> {
  const connections = await listConnections(await actingCtx(options.as), {})
  if (options.json) return printJson(connections)
  printTable(
    ['NAME', 'API TYPE', 'ADDRESS', 'TRUST ZONE', 'KEY', 'MODELS', 'HEALTH', 'LAST TEST'],
    connections.map((connection) => [
      connection.name + (connection.enabled ? '' : ' (off)'),
      connection.wire,
      connection.baseUrl ?? 'default',
      connection.trustZone + (connection.zone.type === 'mismatch' ? ' (does not match)' : ''),
      keyWord(connection),
      String(connection.models),
      healthWord(connection),
      connection.lastTest?.outcome ?? 'never',
    ]),
  )
}

export async function showConnection(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const connection = await readConnection(ctx, { id: (await findConnection(ctx, name)).id })
  if (options.json) return printJson(connection)
  const { users, lastTest, headerNames } = connection
  const facts: [string, string][] = [
    ['Name', connection.name + (connection.enabled ? '' : ' (off)')],
    ['Id', connection.id],
    ['API type', connection.wire],
    ['Address', connection.baseUrl ?? 'default'],
    ['Private addresses', connection.privateAddressAllowed ? 'allowed' : 'not allowed'],
    ['Trust zone', zoneWord(connection)],
    ...Object.entries(connection.settings).map(([key, value]): [string, string] => [
      `Setting ${key}`,
      value,
    ]),
    ['Organisation', connection.organisation ?? 'none'],
    ['Key', keyWord(connection)],
    ['Headers', headerNames.join(', ') || 'none'],
    ['Maximum tries', String(connection.maxTries)],
    ['Health', healthWord(connection)],
    ...connection.troubles.map((each): [string, string] => ['Failure', troubleWords(each)]),
    ['Last test', lastTest ? `${lastTest.outcome}, ${lastTest.at}: ${lastTest.message}` : 'never'],
    ['Models', users.models.map(({ modelId }) => modelId).join(', ') || 'none'],
    ['Used by', users.configurations.map((each) => each.name).join(', ') || 'nothing'],
  ]
  printTable(['FACT', 'VALUE'], facts)
}

function zoneWord({ trustZone, zone }: ConnectionListing): string {
  switch (zone.type) {
    case 'fits':
      return trustZone
    case 'mismatch':
      return `${trustZone}, which does not match the public address ${zone.host}. Confirm it with --trust-zone ${trustZone} --confirm-zone ${zone.host} --reason TEXT, or choose another.`
    case 'confirmed':
      return `${trustZone}, confirmed for ${zone.host} by ${zone.by}, ${zone.at}: ${zone.reason}`
    default:
      return zone satisfies never
  }
}

function healthWord({ enabled, health, troubles }: ConnectionListing): string {
  if (!enabled) return 'off'
  if (health.type === 'open') return `paused until ${health.openUntil}`
  const names = new Set(troubles.map(({ category }) => failureName(category).toLowerCase()))
  return names.size > 0 ? [...names].join(', ') : health.type
}

function troubleWords({ category, at, runId, advice, model }: ConnectionTrouble): string {
  const about = model ? ` (${model.modelId})` : ''
  return `${failureName(category)}${about}, ${at}: ${advice}${runId ? ` Run ${runId}` : ''}`
}

export async function addConnection(options: AddConnectionOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { name, apiType: wire, trustZone, confirmZone, reason } = options
  const apiKey = options.keyStdin ? await readSecret('the API key') : null
  const facts = factsOf(options)
  const zone = { trustZone, confirmZone, reason }
  const { id } = await createConnection(ctx, { name, wire, ...zone, ...facts, apiKey })
  if (options.json) return printJson({ id, name })
  printLine(`Added the connection ${name} (${id}). It was not tested yet.`)
  printLine(`Test it: npx toolgate connection test ${shellWord(name)}`)
}

export async function changeConnection(
  connection: string,
  options: ChangeConnectionOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, connection)
  const { name, apiType: wire, trustZone, confirmZone, reason } = options
  // What is typed is for the connection as it is now, wherever somebody else points it meanwhile.
  const { updatedAt } = await readConnection(ctx, { id })
  const apiKey = options.keyStdin ? await readSecret('the API key') : undefined
  const key = options.removeKey ? null : apiKey
  const facts = { name, wire, trustZone, confirmZone, reason, ...factsOf(options) }
  const changed = await updateConnection(ctx, {
    id,
    ...facts,
    apiKey: key,
    ...(options.keyStdin && { updatedAt }),
  })
  if (options.json) return printJson({ id, changed })
  printLine(changed ? 'Changed the connection.' : 'Nothing changed.')
}

function factsOf(options: FactOptions) {
  return {
    baseUrl: options.baseUrl,
    settings: options.setting,
    organisation: options.organisation,
    privateAddressAllowed: options.allowPrivate,
    connectTimeoutMs: options.connectTimeout,
    firstByteTimeoutMs: options.firstByteTimeout,
    idleTimeoutMs: options.idleTimeout,
    maxTries: options.maxTries,
  }
}

export async function switchConnection(
  connection: string,
  enabled: boolean,
  options: ReasonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, connection)
  const changed = await updateConnection(ctx, { id, enabled, reason: options.reason })
  if (options.json) return printJson({ id, enabled, changed })
  printLine(`The connection is ${changed ? 'now' : 'already'} ${enabled ? 'on' : 'off'}.`)
}

export async function removeConnection(connection: string, options: ReasonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, connection)
  await deleteConnection(ctx, { id, reason: options.reason })
  if (options.json) return printJson({ id, deleted: true })
  printLine('Deleted the connection, its key and its headers.')
}

function keyWord({ key }: Pick<ConnectionListing, 'key'>): string {
  if (!key) return 'none'
  return key.lastFour === '' ? 'stored' : `…${key.lastFour}`
}

/** Gives the exit code: 1 when the provider does not answer as it should. */
export async function testAndPrint(connection: string, options: CommonOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, connection)
  const test = await testConnection(ctx, { id })
  if (options.json) printJson({ id, ...test })
  else {
    printLine(`${test.outcome}: ${test.message} (${test.latencyMs ?? 0} ms)`)
    if (test.outcome === 'unauthorised')
      printLine(`  toolgate key set --connection ${shellWord(connection)} < key.txt`)
  }
  return test.outcome === 'ok' ? exitCodes.ok : exitCodes.failed
}

/** The value of a header that is set comes from standard input, as a key does. */
export async function changeHeaders(connection: string, options: HeaderOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id } = await findConnection(ctx, connection)
  const host = secretsHost(await readConnection(ctx, { id }))
  const removed = (options.remove ?? []).map((name) => [name, null] as const)
  const set =
    options.set === undefined ? [] : [[options.set, await readSecret('the value')] as const]
  const headers = Object.fromEntries([...removed, ...set])
  const { headerNames } = await setConnectionHeaders(ctx, { id, headers, host })
  if (options.json) return printJson({ id, headerNames })
  printLine(`Headers: ${headerNames.join(', ') || 'none'}.`)
}
