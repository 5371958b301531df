import { route } from '@toolgate/server/doors/http'
import { ConflictError } from '@toolgate/server/kernel/errors'
import { applySite } from '@toolgate/server/site-file/apply-site'
import { parseSiteFile } from '@toolgate/server/site-file/parse-site-file'
import { z } from 'zod'
import type { Applied } from '@/app/(console)/(admin)/settings/site-file/agreement'
import { ReasonText } from '@/lib/domains/audit/shared/audit-reason'
import { SiteFileText } from '../site-file-text'

const Agreed = z.object({
  text: SiteFileText,
  fingerprint: z.string().max(100),
  reason: ReasonText.min(1, 'Enter a reason.'),
})

/** Applies the plan of a site file that somebody agreed to. */
export const POST = route(
  // It may do what asks for a proof alone, and must not stop halfway for want of one.
  { role: 'admin', scope: null, body: Agreed, confirmed: () => true },
  async ({ ctx, body: { text, ...options } }) => {
    try {
      const { steps } = await applySite(ctx, parseSiteFile(text), options)
      return Response.json({ type: 'applied', steps: steps.length } satisfies Applied)
    } catch (error) {
      // Any other error stopped the application halfway; its message says how far it came.
      if (!(error instanceof ConflictError)) throw error
      return Response.json({ type: 'outdated', message: error.message } satisfies Applied)
    }
  },
)
