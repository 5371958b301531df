import type { NextConfig } from 'next'
import { closedPolicy, previewAddress, previewPolicy, scriptPolicy } from './lib/edge/closed-policy'

const securityHeaders = [
  { key: 'X-Content-Type-Options', value: 'nosniff' },
  { key: 'X-Frame-Options', value: 'DENY' },
  { key: 'Referrer-Policy', value: 'same-origin' },
  { key: 'Cross-Origin-Opener-Policy', value: 'same-origin' },
  { key: 'Permissions-Policy', value: 'camera=(), geolocation=(), microphone=(), payment=()' },
]

const isBuild = process.env.NODE_ENV === 'production'

/**
 * Steps that a build on the operator's machine leaves out, which makes it a third faster. Names of functions stay
 * readable in errors; nothing reads the source maps; a cache of 240 MB would help the next build alone.
 */
const leanBuild = {
  turbopackMinify: { client: true, server: false },
  turbopackSourceMaps: false,
  turbopackFileSystemCacheForBuild: false,
} satisfies NextConfig['experimental']

function policyOf(value: string, sources: readonly string[]) {
  const headers = [{ key: 'Content-Security-Policy', value }]
  return sources.map((source) => ({ source, headers }))
}

const config: NextConfig = {
  output: 'standalone',
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm test` checks types, tests included; whoever only runs Toolgate need not wait for it.
  // Its configuration does not map @toolgate/server to lib/: what it maps, it bundles.
  typescript: { ignoreBuildErrors: true, tsconfigPath: 'tsconfig.next.json' },
  allowedDevOrigins: ['127.0.0.1'],
  outputFileTracingRoot: import.meta.dirname,
  // No page needs an image made smaller, and the 20 MB that do it are not installed (package.json, "overrides").
  images: { unoptimized: true },
  turbopack: { root: import.meta.dirname },
  experimental: {
    // `forbidden()`: a member on an admin page gets status 403 and a page that says so.
    authInterrupts: true,
    // All pages at once would be 70 MB that most servers never need, and a second of the start. A first visit loads its own.
    preloadEntriesOnStart: false,
    ...(isBuild && leanBuild),
  },
  // Arguments of actions hold passwords and prompts: not for a terminal.
  logging: { serverFunctions: false },
  // Away from the navigation's own corner.
  devIndicators: { position: 'bottom-right' },
  // The server code of lib/, compiled once (docs/decisions/054). Bundled, it would be in every page, and its state with it.
  serverExternalPackages: ['@toolgate/server'],
  headers: async () => [
    { source: '/:path*', headers: securityHeaders },
    // Pages have a policy with a nonce, from the proxy.
    ...policyOf(closedPolicy, ['/api/:path*', '/icon.svg']),
    {
      source: previewAddress,
      headers: [
        { key: 'Content-Security-Policy', value: previewPolicy },
        { key: 'X-Frame-Options', value: 'SAMEORIGIN' },
      ],
    },
    ...policyOf(scriptPolicy, ['/_next/:path*']),
  ],
}

export default config
