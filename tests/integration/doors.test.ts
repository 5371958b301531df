import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ForbiddenError } from '@/lib/kernel/errors'
import { openRecordedSite, type RecordedSite } from '@/tests/support/api-recording/recorded-site'
import { type Askers, openAskers } from '@/tests/support/doors/askers'
import { type OthersIds, readOthersIds } from '@/tests/support/doors/others-ids'
import { answerOf, loadPages, pagesOutside } from '@/tests/support/doors/pages'
import { beginWalk, type Walk } from '@/tests/support/doors/walk'
import { walkActions } from '@/tests/support/doors/walk-actions'
import { walkApi } from '@/tests/support/doors/walk-api'
import { walkRoutes } from '@/tests/support/doors/walk-routes'
import { type WatchedTables, watchTables } from '@/tests/support/doors/watch-tables'
import { type WatchedVerbs, watchVerbs } from '@/tests/support/doors/watch-verbs'
import { db } from '@/tests/support/fixture-db'
import { browser } from '@/tests/support/next-request'

// Walks over every door: it finds them by itself, so a new one is walked without being named here. The parts follow each other on
// one site: the API fills it with what the others ask about.

let site: RecordedSite
let tables: WatchedTables
let verbs: WatchedVerbs
let askers: Askers
let walk: Walk
let ids: OthersIds
const doors = { verbs: 0, endpoints: 0, routes: 0, actions: 0, pages: 0 }
let open = 0

beforeAll(async () => {
  // next.config.ts sets `authInterrupts`, and Next.js this variable with it.
  vi.stubEnv('__NEXT_EXPERIMENTAL_AUTH_INTERRUPTS', 'true')
  verbs = await watchVerbs()
  site = await openRecordedSite()
  const { id, email, role } = await db().user.findFirstOrThrow({ where: { role: 'admin' } })
  const actor = { userId: id, email, role }
  askers = await openAskers({ actor, via: 'console', ipAddress: null })
  tables = await watchTables(askers.narrowId)
  walk = beginWalk(tables, verbs)
})
afterAll(async () => {
  const list = Object.entries(doors).map(([name, count]) => `${count} ${name}`)
  process.stdout.write(`doors: ${list.join(', ')}; ${walk?.tries()} tries; open: ${open}\n`)
  vi.unstubAllEnvs()
  verbs?.close()
  // Its engine writes to the tables, and could lock them in another order than those who watch them.
  await site?.close()
  await tables?.close()
})

/** Fails for everything that was found open. */
function expectClosed(): void {
  const found = walk.takeOpen()
  open += found.length
  expect(found).toEqual([])
}

test('no endpoint of the API opens to a stranger, another site, a member, or a key without its scope or beyond its limits', async () => {
  const walked = await walkApi(site, askers, walk)
    .catch((error: unknown) => {
      // A request that got through may have changed the subject of later ones.
      expectClosed()
      throw error
    })
    .finally(async () => {
      ids = await readOthersIds(askers.outsiderId)
    })
  const { doors: count, unproven, shown, beyond } = walked
  doors.endpoints = count
  expectClosed()
  // Each of them succeeded for who may: add a step to the scripts of tests/support/api-recording for a new one.
  expect(unproven).toEqual([])
  // Each member has an account of their own at a server.
  expect(shown).toEqual(['DELETE /accounts/{server}', 'PUT /accounts/{server}'])
  // A schedule that is started by hand is a run.
  expect(beyond).toEqual(['POST /schedules/{id}/run → run.start (runs:write)'])
  expect(count).toBeGreaterThan(150)
  // Acts of persons were refused to keys, and what needs a proof to a session without one.
  expect(walk.askedOf('key').size).toBeGreaterThanOrEqual(10)
  expect(walk.askedOf('stale').size).toBeGreaterThanOrEqual(30)
}, 300_000)

test('no address beside the API opens to a stranger, another site, a member or a key', async () => {
  doors.routes = await walkRoutes(askers, ids, walk)
  expectClosed()
  expect(doors.routes).toBeGreaterThan(20)
})

test('no server action opens to a stranger, another site or a member, nor changes what is somebody else’s', async () => {
  const found = await walkActions(askers, ids, walk)
  doors.actions = found.doors
  expectClosed()
  expect(found.doors).toBeGreaterThan(150)
  expect(found.valid).toBeGreaterThan(100)
  const ofAdminPages = 'app/(console)/(admin)/'
  // Members do these on pages of their own, or to what is theirs.
  expect(found.forMembersToo.map((name) => name.replace(ofAdminPages, ''))).toEqual([
    'connect/actions.ts runFirstPrompt',
    'resources/hosts/actions.ts askForHostHere',
    'resources/workspaces/actions.ts readWrite',
    'resources/workspaces/actions.ts findWrite',
    'resources/workspaces/actions.ts undoWrite',
    'schedules/actions.ts withdrawConsent',
    'servers/actions.ts connectServer',
    'servers/actions.ts disconnectServer',
    'users/actions.ts endUserSessions',
    'users/actions.ts endUserSession',
    'users/actions.ts revokeUserKey',
  ])
})

test('no page shows a stranger anything, nor a member a page of admins or what is somebody else’s', async () => {
  const pages = await loadPages()
  const found: string[] = []
  for (const [place, page] of pages) {
    walk.tried(2)
    browser.cookie = ''
    const stranger = await answerOf(page, ids.of)
    if (!stranger.startsWith('/sign-in')) found.push(`a stranger: ${place} is ${stranger}`)
    browser.cookie = askers.outsiders['a member’s session'].cookie?.split('=')[1] ?? ''
    const member = await answerOf(page, ids.of)
    const ofOthers = place.includes('[') ? '404' : null
    const wanted = place.startsWith('(admin)/') ? '403' : ofOthers
    if (wanted !== null && member !== wanted) found.push(`a member: ${place} is ${member}`)
  }
  doors.pages = pages.size
  open += found.length
  expect(found).toEqual([])
  expect(doors.pages).toBeGreaterThan(60)
  // They are for people who are not signed in, or only lead elsewhere.
  expect(pagesOutside()).toEqual([
    '',
    '(auth)/invite/[token]',
    '(auth)/second-factor',
    '(auth)/setup',
    '(auth)/sign-in',
  ])
})

test('every verb for admins refuses a member by itself, before it reads what is asked', async () => {
  const ofAdmins = verbs.verbs.filter(({ definition }) => definition.role === 'admin')
  const found: string[] = []
  await walk.settle()
  for (const verb of ofAdmins) {
    walk.tried()
    const error = await verb(askers.outsider, {} as never).catch((thrown: unknown) => thrown)
    if (!(error instanceof ForbiddenError)) found.push(verb.definition.name)
  }
  await walk.nothingChanged('verbs for admins')
  doors.verbs = verbs.verbs.length
  open += found.length
  expect(found).toEqual([])
  expectClosed()
  expect(ofAdmins.length).toBeGreaterThan(150)
})
