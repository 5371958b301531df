/** The websites whose pages tools of the actor may read. Implemented in lib/toolset. */
export type SiteResources = {
  /** Those that the actor may use at this moment, by name. */
  list: () => Promise<UsableSite[]>
}

/**
 * A site as it is read. `address`: its start page; `sitemap` null = the one that robots.txt names, else the usual one; `crawl`: links
 * are followed when there is none.
 */
export type UsableSite = {
  id: string
  name: string
  address: string
  sitemap: string | null
  crawl: boolean
  privateAddressAllowed: boolean
}
