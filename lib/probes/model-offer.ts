import type { CatalogueEntry } from '@/lib/domains/models/catalogue/entry'
import type { DiscoveredModel } from '@/lib/engines/providers/discovered-model'

/**
 * A model that a provider offers: what the provider reports, what the catalogue adds, and its record when it was added
 * before.
 */
export type ModelOffer = DiscoveredModel & {
  catalogue: CatalogueEntry | null
  here: { id: string; displayName: string } | null
}
