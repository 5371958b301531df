import { z } from 'zod'
import { parseWebAddress } from '@/lib/domains/hosts/shared/web-origin'
import { isOfSite } from '@/lib/domains/sites/shared/site-address'
import { ToolError } from '@/lib/protocol/tool'
import type { UsableSite } from './site-resources'
import type { ToolResources } from './tool-resources'
import type { Reach } from './web/ask-web'

/** Returns the site of this name. Throws ToolError that names those that may be used. */
export async function requireSite({ sites }: ToolResources, name: string): Promise<UsableSite> {
  const usable = await sites.list()
  const found = usable.find((each) => each.name === name)
  if (found) return found
  const names = listed(usable.map((site) => site.name))
  throw new ToolError('not-found', `Site not found or not permitted. ${names}`)
}

/**
 * Returns the site that a page belongs to, the one with the longest path if there are several. Throws ToolError that says where pages
 * may be read, in the same words for every address of which none is.
 */
export async function requireSiteOf(
  { sites }: ToolResources,
  address: string,
): Promise<UsableSite> {
  const usable = await sites.list()
  const parsed = parseWebAddress(address)
  const [nearest] =
    'url' in parsed
      ? usable
          .filter((site) => isOfSite(new URL(site.address), parsed.url))
          .toSorted((a, b) => b.address.length - a.address.length)
      : []
  if (nearest) return nearest
  const places = listed(usable.map((site) => site.address))
  throw new ToolError('not-found', `This is no page of a site that you may use. ${places}`)
}

const mostListed = 30

function listed(all: readonly string[]): string {
  if (all.length === 0) return 'There is none that you may use.'
  const more = all.length > mostListed ? ' and others' : ''
  return `You may use: ${all.slice(0, mostListed).join(', ')}${more}.`
}

/** Returns the schema of the parameter that names a site. */
export function siteSchema() {
  return z
    .string()
    .max(100)
    .describe('The name of a site. A wrong one is answered with those you may use.')
}

/** Returns the schema of the parameter that is the address of a page. */
export function pageSchema() {
  return z
    .string()
    .trim()
    .min(1)
    .max(4_000)
    .describe(
      'The address of a page of a site. A wrong one is answered with the sites you may use.',
    )
}

/** Returns the pages of a site as what may be asked. */
export function pagesOf(site: UsableSite): Reach {
  const start = new URL(site.address)
  return { ...reachOf(site, (url) => isOfSite(start, url)), beyond: 'to a page outside the site' }
}

/** Returns the host of a site as what may be asked, for what stands at its root: robots.txt and sitemaps. */
export function hostOf(site: UsableSite): Reach {
  const { origin } = new URL(site.address)
  return { ...reachOf(site, (url) => url.origin === origin), beyond: 'to another host' }
}

function reachOf(
  { privateAddressAllowed }: UsableSite,
  belongs: (url: URL) => boolean,
): Omit<Reach, 'beyond'> {
  return {
    find: async (url) => (belongs(url) ? { privateAddressAllowed } : null),
    refusal: new ToolError('not-found', 'This address is not of the site.'),
  }
}
