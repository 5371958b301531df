import { render } from '@testing-library/react'
import {
  AppRouterContext,
  type AppRouterInstance,
} from 'next/dist/shared/lib/app-router-context.shared-runtime'
import { PathnameContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime'
import type { ReactNode } from 'react'
import { vi } from 'vitest'
import { QueryProvider } from '@/components/shell/queries'
import { ToastProvider } from '@/components/ui/toast'

/** Renders a part of a page with what the layout provides: router, address, messages, tooltips, queries. */
export function inPage(
  children: ReactNode,
  router: Partial<AppRouterInstance> = {},
  pathname = '/',
) {
  return (
    <AppRouterContext value={router as AppRouterInstance}>
      <PathnameContext value={pathname}>
        <ToastProvider>
          <QueryProvider>{children}</QueryProvider>
        </ToastProvider>
      </PathnameContext>
    </AppRouterContext>
  )
}

/** Renders a part of a page. `router` records where it leads. */
export function showInPage(children: ReactNode) {
  const router = { refresh: vi.fn(), push: vi.fn() } satisfies Partial<AppRouterInstance>
  const { rerender, ...rendered } = render(inPage(children, router))
  return { ...rendered, router, rerender: (next: ReactNode) => rerender(inPage(next, router)) }
}
