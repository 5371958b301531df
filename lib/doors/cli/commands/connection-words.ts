import type {
  ConnectionDetails,
  ConnectionListing,
  ConnectionTrouble,
} from '@/lib/domains/connections/schemas'
import { failureName } from '@/lib/protocol/failure-words'
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

function keyWord({ key }: Pick<ConnectionListing, 'key'>): string {
  if (!key) return 'none'
  return key.lastFour === '' ? 'stored' : `…${key.lastFour}`
}
