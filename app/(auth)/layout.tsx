import { cookies } from 'next/headers'
import type { ReactNode } from 'react'
import { Logo } from '@/components/shell/logo'
import { readTheme, themeCookie } from '@/components/shell/theme'
import { ThemeMenu } from '@/components/shell/theme-menu'

export default async function AuthLayout({ children }: { children: ReactNode }) {
  const theme = readTheme((await cookies()).get(themeCookie)?.value)
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-12 items-center justify-between px-4">
        <span className="flex items-center gap-2 font-semibold text-lg text-strong">
          <Logo />
          Toolgate
        </span>
        <ThemeMenu initial={theme} />
      </header>
      <main className="mx-auto flex w-full max-w-104 flex-1 flex-col px-4 pt-[12dvh] pb-12">
        {children}
      </main>
    </div>
  )
}
