import { requirePanel } from '@toolgate/server/runs/panels/panels'
import { cache } from 'react'
import { orNotFound } from '@/lib/next/or-not-found'
import { requireUser } from '@/lib/next/require-user'

/** Returns the panel that an address names. Layout, page and title ask; it is read once a request. */
export const findPanel = cache((panelId: string) =>
  orNotFound(async () => requirePanel(await requireUser(), panelId)),
)
