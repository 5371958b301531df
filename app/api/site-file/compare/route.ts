import { route } from '@toolgate/server/doors/http'
import { parseSiteFile } from '@toolgate/server/site-file/parse-site-file'
import { planFingerprint, planSite } from '@toolgate/server/site-file/plan-site'
import { z } from 'zod'
import { toPlanView } from '@/app/(console)/(admin)/settings/site-file/plan-view'
import { SiteFileText } from '../site-file-text'

/** Answers what a site file would change, with the fingerprint that its application must name. Changes nothing. */
export const POST = route(
  { role: 'admin', scope: null, body: z.object({ text: SiteFileText }) },
  async ({ ctx, body: { text } }) => {
    const plan = await planSite(ctx, parseSiteFile(text))
    return Response.json({ plan: toPlanView(plan), fingerprint: planFingerprint(plan) })
  },
)
