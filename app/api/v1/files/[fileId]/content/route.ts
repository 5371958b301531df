import { route } from '@/lib/kernel/http'
import { isImage } from '@/lib/protocol/run-file'
import { readFile } from '@/lib/runs/files/read-run-files'
import { onlyMethods } from '../../../only-methods'

/** The bytes of an uploaded file. Nothing in it can act: only images are shown, anything else is saved. */
const read = route({ role: 'member', scope: 'runs:read' }, async ({ ctx, params }) => {
  const { name, type, content } = await readFile(ctx, params.fileId ?? '')
  const disposition = isImage(type) ? 'inline' : 'attachment'
  return new Response(content, {
    headers: {
      'content-type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
      'content-disposition': `${disposition}; filename*=UTF-8''${encoded(name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
})

function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
}

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = onlyMethods({ GET: read })
