import type {
  ConnectionDetails,
  ConnectionListing,
  ConnectionProblem,
} from '@/lib/domains/connections/schemas'
import { connectionShape as shape } from '@/lib/domains/connections/shape'
import { failureName } from '@/lib/protocol/model/failure-words'
import { factText } from '@/lib/shape/field-codec'
import { printTable } from '../print'

/** Prints one line a connection. */
export function printConnections(connections: ConnectionListing[]): void {
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

/** Prints what is stored of a connection, with its health and what uses it. */
export function printConnection(connection: ConnectionDetails): void {
  const { users, lastTest, headerNames } = connection
  const facts: [string, string][] = [
    [shape.name.label, connection.name + (connection.enabled ? '' : ' (off)')],
    ['Id', connection.id],
    [shape.wire.label, connection.wire],
    [shape.baseUrl.label, connection.baseUrl ?? 'default'],
    ['Private addresses', connection.privateAddressAllowed ? 'allowed' : 'not allowed'],
    [shape.trustZone.label, zoneWord(connection)],
    ...Object.entries(connection.settings).map(([key, value]): [string, string] => [
      `Setting ${key}`,
      value,
    ]),
    [shape.organisation.label, connection.organisation ?? 'none'],
    ...limits.map((field): [string, string] => [
      shape[field].label,
      factText(shape[field], connection[field]) || 'default',
    ]),
    ['Key', keyWord(connection)],
    ['Headers', headerNames.join(', ') || 'none'],
    ['Health', healthWord(connection)],
    ...connection.troubles.map((each): [string, string] => ['Failure', problemWords(each)]),
    ['Last test', lastTest ? `${lastTest.outcome}, ${lastTest.at}: ${lastTest.message}` : 'never'],
    ['Models', users.models.map(({ modelId }) => modelId).join(', ') || 'none'],
    ['Used by', users.configurations.map((each) => each.name).join(', ') || 'nothing'],
  ]
  printTable(['FACT', 'VALUE'], facts)
}

const limits = ['maxTries', 'connectTimeoutMs', 'firstByteTimeoutMs', 'idleTimeoutMs'] as const

/** Returns what contradicts the trust zone, and the options that confirm it; null = nothing does. */
export function zoneMismatch({ trustZone, zone }: ConnectionListing) {
  if (zone.type !== 'mismatch') return null
  const options = `--trust-zone ${trustZone} --confirm-zone ${zone.host} --reason TEXT`
  return { trustedAs: trustZone, host: zone.host, options }
}

function zoneWord(connection: ConnectionListing): string {
  const { trustZone, zone } = connection
  const wrong = zoneMismatch(connection)
  if (wrong) {
    return `${trustZone}, which does not match the public address ${wrong.host}, so requests to it are refused. Confirm it with ${wrong.options}, or choose another.`
  }
  if (zone.type !== 'confirmed') return trustZone
  return `${trustZone}, confirmed for ${zone.host} by ${zone.by}, ${zone.at}: ${zone.reason}`
}

function healthWord({ enabled, health, troubles }: ConnectionListing): string {
  if (!enabled) return 'off'
  if (health.type === 'open') return `paused until ${health.openUntil}`
  const names = new Set(troubles.map(({ category }) => failureName(category).toLowerCase()))
  return names.size > 0 ? [...names].join(', ') : health.type
}

function problemWords({ category, at, runId, advice, model }: ConnectionProblem): string {
  const about = model ? ` (${model.modelId})` : ''
  return `${failureName(category)}${about}, ${at}: ${advice}${runId ? ` Run ${runId}` : ''}`
}

function keyWord({ key }: Pick<ConnectionListing, 'key'>): string {
  if (!key) return 'none'
  return key.lastFour === '' ? 'stored' : `…${key.lastFour}`
}
