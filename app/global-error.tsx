'use client'
import './globals.css'
import { PageError } from '@/components/shell/page-error'

/** Replaces the root layout when that fails. It follows the system's theme. */
export default function GlobalError(props: { error: unknown; retry: () => void }) {
  return (
    <html lang="en">
      <body>
        <title>Error · Toolgate</title>
        <main>
          <PageError {...props} />
        </main>
      </body>
    </html>
  )
}
