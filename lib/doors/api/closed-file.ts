import { isUtf8 } from 'node:buffer'

/** A file that people sent: `shown` = a browser may show it, because it can do nothing but be seen. */
type SentFile = {
  name: string
  type: string
  shown: boolean
  content: Uint8Array<ArrayBuffer>
}

/** Answers with a file that people sent. Nothing in it can act: only images are shown, anything else is saved. */
export function closedFile({ name, type, shown, content }: SentFile): Response {
  return new Response(content, {
    headers: {
      'content-type': type === 'text/plain' && isUtf8(content) ? 'text/plain; charset=utf-8' : type,
      'content-disposition': `${shown ? 'inline' : 'attachment'}; filename*=UTF-8''${encoded(name)}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
  })
}

function encoded(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
}
