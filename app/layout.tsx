import './globals.css'
import { GeistMono } from 'geist/font/mono'
import { GeistSans } from 'geist/font/sans'
import type { Metadata, Viewport } from 'next'
import { cookies, headers } from 'next/headers'
import type { ReactNode } from 'react'
import { NonceProvider } from '@/components/nonce'
import { readTheme, themeCookie } from '@/components/shell/theme'
import { ToastProvider } from '@/components/ui/toast'
import { NowProvider } from '@/components/ui/use-now'

export const metadata: Metadata = {
  title: { default: 'Toolgate', template: '%s · Toolgate' },
  description: 'Govern, run, see and explain LLM tool calls.',
  icons: { icon: '/icon.svg' },
  robots: { index: false, follow: false },
}

export const viewport: Viewport = { colorScheme: 'light dark' }

// Reading headers here makes every page dynamic, which a policy with a nonce per response needs.
export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined
  const theme = readTheme((await cookies()).get(themeCookie)?.value)
  return (
    <html
      lang="en"
      data-theme={theme === 'system' ? undefined : theme}
      className={`${GeistSans.variable} ${GeistMono.variable}`}
    >
      <body>
        <NonceProvider nonce={nonce}>
          <NowProvider renderedAt={Date.now()}>
            <ToastProvider>{children}</ToastProvider>
          </NowProvider>
        </NonceProvider>
      </body>
    </html>
  )
}
