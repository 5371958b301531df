import { groupLinks, usableBy, withGroups } from '@/lib/domains/rows/group-access'
import { requireStored } from '@/lib/edge/resource-reads'
import type { Prisma } from '@/lib/generated/prisma/client'
import type { Tx } from '@/lib/kernel/db'
import { type SiteCheck, sites } from './shape'

const included = {
  ...groupLinks,
  check: { omit: { siteId: true } },
} as const satisfies Prisma.SiteInclude

type Row = Prisma.SiteGetPayload<{ include: typeof included }>
type StoredSite = ReturnType<typeof stored>

/** Returns a site; null = there is none. */
export async function findSite(
  client: Tx,
  reference: { id: string } | { name: string },
): Promise<StoredSite | null> {
  const row = await client.site.findUnique({ where: reference, include: included })
  return row && stored(row)
}

/** Returns a site by its id or name. Throws NotFoundError. */
export const requireSite = requireStored(sites, findSite)

/** Returns all sites. */
export async function readSites(client: Tx): Promise<StoredSite[]> {
  return (await client.site.findMany({ include: included })).map(stored)
}

const usable = {
  id: true,
  name: true,
  address: true,
  sitemap: true,
  crawl: true,
  privateAddressAllowed: true,
} as const satisfies Prisma.SiteSelect

/** Returns the sites that a person may use now, by name: members those of their groups, admins all (SPEC A2a). */
export async function usableSites(client: Tx, person: { userId: string; role: string }) {
  return client.site.findMany({
    where: usableBy(person),
    select: usable,
    orderBy: { name: 'asc' },
  })
}

/** Stores what a check of a site found, in place of what the one before did. A site that is gone keeps nothing. */
export async function storeSiteCheck(client: Tx, siteId: string, check: SiteCheck): Promise<void> {
  const { at, pages, source, ms, trouble } = check
  await client.$executeRaw`
    INSERT INTO site_checks ("siteId", at, pages, source, ms, trouble)
    SELECT id, ${at}::timestamptz AT TIME ZONE 'UTC', ${pages}::int, ${source}::text, ${ms}::int, ${trouble}::text
    FROM sites WHERE id = ${siteId}::uuid
    ON CONFLICT ("siteId") DO UPDATE SET
      at = excluded.at, pages = excluded.pages, source = excluded.source, ms = excluded.ms, trouble = excluded.trouble`
}

function stored({ check, ...row }: Row) {
  const lastCheck = check && { ...check, at: check.at.toISOString() }
  return { ...withGroups(row), lastCheck }
}
