import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { endpoints } from '@/lib/doors/api/endpoints'
import type { Route } from '@/lib/doors/http'
import { ApiScope, scopesOf } from '@/lib/protocol/api-scope'

/**
 * Answer whoever asks: monitoring, the protocol of sign-in, what issuers of servers ask for, and the router, whose endpoints say by
 * themselves who may.
 */
const open = [
  'auth/[...nextauth]',
  'health',
  'ready',
  'servers/callback',
  'servers/client.json',
  'v1/[[...path]]',
]

type Address = { address: string; method: string; handler: Partial<Route> }

/** Returns every handler of an address that the router does not serve. */
async function byHand(): Promise<Address[]> {
  const files = readdirSync('app/api', { recursive: true, encoding: 'utf8' })
  const addresses = files
    .filter((file) => file.endsWith('/route.ts'))
    .map((file) => file.slice(0, -9))
  const guarded = addresses.filter((address) => !open.includes(address))
  const handlers = await Promise.all(
    guarded.map(async (address) =>
      Object.entries(await import(/* @vite-ignore */ resolve('app/api', address, 'route.ts')))
        .filter(([name]) => /^[A-Z]+$/.test(name))
        .map(([method, handler]) => ({ address, method, handler: handler as Partial<Route> })),
    ),
  )
  return handlers.flat()
}

test('every address beside the router says who may ask it, but for those that answer everybody', async () => {
  const handlers = await byHand()
  expect(handlers.length).toBeGreaterThan(10)
  expect(handlers.filter(({ handler }) => handler.rights === undefined)).toEqual([])
})

test('a role has the scopes that some address allows to it', async () => {
  const routes = (await byHand()).flatMap(({ handler }) => (handler.rights ? [handler.rights] : []))
  const scoped = [...routes, ...endpoints].filter(({ scope }) => scope !== null)
  expect([...new Set(scoped.map(({ scope }) => scope))].toSorted()).toEqual(
    ApiScope.options.toSorted(),
  )
  const forMembers = scoped.filter(({ role }) => role === 'member').map(({ scope }) => scope)
  expect(scopesOf('member').toSorted()).toEqual([...new Set(forMembers)].toSorted())
  expect(scopesOf('admin')).toEqual(ApiScope.options)
})
