import { countUnseenAlerts } from '@toolgate/server/domains/budgets/list-alerts'
import { getFreeze } from '@toolgate/server/domains/settings/freeze'
import { withPersonNames } from '@toolgate/server/domains/users/person-names'
import { countPendingApprovals } from '@toolgate/server/runs/approvals/list-approvals'
import { countNewConsents } from '@toolgate/server/toolset/schedules/consent-verbs'
import { cookies } from 'next/headers'
import { NuqsAdapter } from 'nuqs/adapters/next/app'
import type { ReactNode } from 'react'
import { FindPeopleProvider } from '@/components/people/find-people'
import { FreezeWatch } from '@/components/shell/freeze-watch'
import { LeftStart } from '@/components/shell/left-start'
import { PendingApprovals } from '@/components/shell/pending-approvals'
import { QueryProvider } from '@/components/shell/queries'
import { readTheme, themeCookie } from '@/components/shell/theme'
import { ThemeMenu } from '@/components/shell/theme-menu'
import { ZoneMemory } from '@/components/shell/zone-memory'
import { HostRequestProvider } from '@/components/trace/host-request'
import { ReaderRoleProvider } from '@/components/trace/reader-role'
import { RunControlsProvider } from '@/components/trace/run-controls'
import { WriteActionsProvider } from '@/components/trace/write-actions'
import { readerZone } from '@/lib/next/reader-zone'
import { currentSession, requireUser } from '@/lib/next/require-user'
import { findPeople } from './(admin)/groups/actions'
import { askForHostHere } from './(admin)/resources/hosts/actions'
import { findWrite, readWrite, undoWrite } from './(admin)/resources/workspaces/actions'
import { resetToolToDefault, setTool } from './(admin)/tools/actions'
import { PageApprovalActions } from './approvals/page-approval-actions'
import { ConfirmProvider } from './confirm/confirm-provider'
import { startArrived } from './playground/actions'
import { decideCostCap, stopRun } from './runs/actions'
import { AccountMenu } from './shell/account-menu'
import { ActivityWatch } from './shell/activity-watch'
import { CommandPalette } from './shell/command-palette'
import { FreezeBar, FreezeControl } from './shell/freeze-bar'
import { Breadcrumbs } from './shell/navigation'
import { PhoneNavigation } from './shell/phone-navigation'
import { Rail } from './shell/rail'
import { railCookie } from './shell/rail-cookie'

/**
 * Shows the frame around every page. Every page checks the session itself. The frame checks it, too, because it renders
 * before anything is streamed, so it can still redirect strangers. Sections do not import one another: the frame passes
 * down the actions that several of them need.
 */
export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const ctx = await requireUser()
  const { actor } = ctx
  const [session, jar, stored, pending, alerts, consents] = await Promise.all([
    currentSession(),
    cookies(),
    getFreeze(ctx, {}),
    countPendingApprovals(ctx),
    countUnseenAlerts(ctx),
    countNewConsents(ctx),
  ])
  const [freeze = null] = await withPersonNames(stored ? [stored] : [], ['by'])
  return (
    <QueryProvider>
      <PendingApprovals initial={{ pending, alerts, consents }}>
        <FreezeWatch frozenAt={freeze?.at ?? null} />
        <ActivityWatch />
        <LeftStart find={startArrived} />
        <ZoneMemory known={await readerZone()} />
        <div className="flex min-h-dvh">
          <a
            href="#content"
            className="sr-only z-50 rounded-md bg-accent px-3 py-1.5 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
          >
            Skip to content
          </a>
          <Rail role={actor.role} initiallyCollapsed={jar.get(railCookie)?.value === 'collapsed'} />
          <div className="flex min-w-0 flex-1 flex-col">
            {freeze && <FreezeBar freeze={freeze} role={actor.role} />}
            <header className="sticky top-0 z-30 flex h-12 shrink-0 items-center gap-1 border-b bg-surface-1 px-2 md:px-4">
              <PhoneNavigation role={actor.role} />
              <Breadcrumbs />
              <CommandPalette
                role={actor.role}
                frozen={freeze !== null}
                toolActions={{ setTool, resetToolToDefault }}
              />
              <FreezeControl frozen={freeze !== null} role={actor.role} />
              <ThemeMenu initial={readTheme(jar.get(themeCookie)?.value)} />
              <AccountMenu actor={actor} name={session?.name ?? actor.email} />
            </header>
            <main id="content" tabIndex={-1} className="min-w-0 flex-1 outline-none">
              <ReaderRoleProvider value={actor.role}>
                <FindPeopleProvider value={findPeople}>
                  <RunControlsProvider value={{ stopRun, decideCostCap }}>
                    <WriteActionsProvider value={{ readWrite, findWrite, undoWrite }}>
                      <PageApprovalActions>
                        <ConfirmProvider>
                          <HostRequestProvider value={askForHostHere}>
                            <NuqsAdapter>{children}</NuqsAdapter>
                          </HostRequestProvider>
                        </ConfirmProvider>
                      </PageApprovalActions>
                    </WriteActionsProvider>
                  </RunControlsProvider>
                </FindPeopleProvider>
              </ReaderRoleProvider>
            </main>
          </div>
        </div>
      </PendingApprovals>
    </QueryProvider>
  )
}
