/** The content security policy of what is no page: nothing in it runs, loads or is framed, whatever a browser takes it for. */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'"

/** The content security policy of scripts. A worker has that of its own script: it loads more of them and asks this site. */
export const scriptPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"

/** The content security policy of what a tool returned as HTML: it is drawn with its own styles, and does nothing else. */
export const previewPolicy = [
  'sandbox',
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  'font-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** The addresses that answer with it, as next.config.ts names them. */
export const previewAddress = '/api/runs/:runId/calls/:callId/preview'
