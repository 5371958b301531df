import { route } from '@toolgate/server/doors/http'
import { exportSite } from '@toolgate/server/site-file/export-site'

/** Exports the site file, without secrets. The export is audited. */
export const GET = route({ role: 'admin', scope: null }, async ({ ctx }) => {
  const text = await exportSite(ctx)
  return new Response(text, {
    headers: {
      'content-type': 'application/yaml; charset=utf-8',
      'content-disposition': 'attachment; filename="toolgate.yaml"',
      'x-content-type-options': 'nosniff',
    },
  })
})
