import type { CatalogueEntry } from '@/lib/models/catalogue/entry'
import type { DiscoveredModel } from '@/lib/providers/discovered-model'

/** A model that a provider offers: what it says, what the catalogue adds, and its record when it is here already. */
export type ModelOffer = DiscoveredModel & {
  catalogue: CatalogueEntry | null
  here: { id: string; displayName: string } | null
}
