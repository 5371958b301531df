/** The content security policy of what is no page: nothing in it runs, loads or is framed, whatever a browser takes it for. */
export const closedPolicy = "default-src 'none'; frame-ancestors 'none'"

/** The content security policy of scripts. A worker has that of its own script: it loads more of them and asks this site. */
export const scriptPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
