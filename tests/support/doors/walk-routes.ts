import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Route } from '@/lib/doors/http'
import { ApiScope } from '@/lib/protocol/api-scope'
import { ask } from '../api-client'
import type { Askers, Headers } from './askers'
import type { OthersIds } from './others-ids'
import type { Walk } from './walk'

/**
 * Answer everybody: monitoring, the protocol of sign-in, and what issuers of servers ask for, whose way back acts for the session that
 * began it alone. The router is walked endpoint by endpoint.
 */
const publicRoutes = [
  'auth/[...nextauth]',
  'health',
  'ready',
  'servers/callback',
  'servers/client.json',
  'v1/[[...path]]',
]

type Handler = Parameters<typeof ask>[0] & Partial<Pick<Route, 'rights'>>

/** Asks every address beside the router as everybody who may not. Its objects exist and belong to somebody else. */
export async function walkRoutes(askers: Askers, ids: OthersIds, walk: Walk) {
  const files = readdirSync('app/api', { recursive: true, encoding: 'utf8' })
  const places = files
    .filter((file) => file.endsWith('/route.ts'))
    .map((file) => file.slice(0, -'/route.ts'.length))
  let doors = 0
  for (const place of places.filter((each) => !publicRoutes.includes(each))) {
    const exported = await import(/* @vite-ignore */ resolve('app/api', place, 'route.ts'))
    const methods = Object.entries(exported).filter(([name]) => /^[A-Z]+$/.test(name))
    for (const [method, handler] of methods) {
      doors += 1
      await walkRoute(place, method, handler as Handler)
    }
  }
  return doors

  async function walkRoute(place: string, method: string, handler: Handler): Promise<void> {
    const name = `${method} /api/${place}`
    const names = [...place.matchAll(/\[(\w+)\]/g)].map(([, each = '']) => each)
    const params = Object.fromEntries(
      names.map((each) => [each, each === 'round' ? '1' : ids.of(each)]),
    )
    const address = place.replace(/\[(\w+)\]/g, (_all, each: string) => params[each] ?? '')
    const isChange = method !== 'GET' && method !== 'HEAD'
    const answerTo = async (headers: Headers) => {
      walk.tried()
      const content = isChange ? { json: {} } : {}
      const response = await ask(handler, method, `/api/${address}`, {
        params,
        headers,
        ...content,
      })
      await response.body?.cancel()
      return response.status
    }
    const isRefused = async (who: string, headers: Headers, wanted: number) => {
      const status = await answerTo(headers)
      if (status !== wanted) walk.isOpen(`${who}: ${name} answers ${status}, not ${wanted}`)
    }
    const { rights } = handler
    if (!rights) return walk.isOpen(`${name} does not say who may ask`)
    await walk.settle()
    for (const [who, headers] of Object.entries(askers.strangers))
      await isRefused(who, headers, 401)
    for (const [who, headers] of Object.entries(askers.outsiders))
      if (rights.role === 'admin') await isRefused(who, headers, 403)
    const others = ApiScope.options.filter((each) => each !== rights.scope)
    await isRefused('a key without its scope', await askers.withScopes(others), 403)
    if (rights.scope === null) await isRefused('a limited key', askers.limited, 403)
    if (isChange) await isRefused('another site', askers.elsewhere, 403)
    await walk.nothingChanged(`what was refused at ${name}`)
    if (rights.role === 'member') {
      const status = await answerTo(askers.outsiders['a member’s session'])
      if (names.length > 0 && status < 300)
        walk.isOpen(`a member: ${name} shows what is not theirs`)
      await walk.onlyOwnChanged(`a member: ${name}`, askers.outsiderId)
    }
    const ofAdmin = await answerTo(askers.session)
    if (ofAdmin === 401 || ofAdmin === 403) walk.isOpen(`${name} refuses everybody: ${ofAdmin}`)
  }
}
