import {
  ChartColumn,
  ClipboardCheck,
  FileClock,
  GraduationCap,
  Hand,
  LayoutDashboard,
  Library,
  ListTodo,
  type LucideIcon,
  MessagesSquare,
  Plug,
  ScrollText,
  Server,
  Settings,
  SlidersHorizontal,
  UsersRound,
  Wrench,
} from 'lucide-react'
import { headingOf, pathOf, resourceNouns } from '@/lib/protocol/nouns'
import type { Role } from '@/lib/protocol/tool'

/** A page that people find by its name. */
export type Place = {
  href: string
  label: string
  /** Members see it, too. The page itself decides who may open it. */
  role?: 'member'
  /** The address of the page that it belongs to. */
  under?: string
  /** Its label among the tabs of the pages that belong together; left out: it is none of them. */
  tab?: string
}

/** A page of the rail. */
export type Destination = Place & {
  icon: LucideIcon
  section: 'Work' | 'Govern' | 'Models' | 'Site'
}

/** Every page of the rail, in its order: at most 16. */
const rail: readonly Destination[] = [
  { href: '/overview', label: 'Overview', icon: LayoutDashboard, section: 'Work', role: 'member' },
  {
    href: '/playground',
    label: 'Playground',
    icon: MessagesSquare,
    section: 'Work',
    role: 'member',
  },
  { href: '/runs', label: 'Runs', icon: ScrollText, section: 'Work', role: 'member', tab: 'Runs' },
  {
    href: '/approvals',
    label: 'Approvals',
    icon: Hand,
    section: 'Work',
    role: 'member',
    tab: 'Pending',
  },
  {
    href: '/checks',
    label: 'Checks',
    icon: ClipboardCheck,
    section: 'Work',
    role: 'member',
    tab: 'Checks',
  },
  { href: '/tasks', label: 'Tasks', icon: ListTodo, section: 'Work', role: 'member', tab: 'Tasks' },
  { href: '/tools', label: 'Tools', icon: Wrench, section: 'Govern', tab: 'Tools' },
  { href: '/servers', label: 'Servers', icon: Server, section: 'Govern' },
  { href: '/resources', label: 'Resources', icon: Library, section: 'Govern' },
  { href: '/skills', label: 'Skills', icon: GraduationCap, section: 'Govern' },
  {
    href: '/configurations',
    label: 'Configurations',
    icon: SlidersHorizontal,
    section: 'Models',
  },
  {
    href: '/connections',
    label: 'Connections',
    icon: Plug,
    section: 'Models',
    tab: 'Connections',
  },
  {
    href: '/usage',
    label: 'Usage',
    icon: ChartColumn,
    section: 'Site',
    tab: 'Usage',
  },
  {
    href: '/users',
    label: 'People',
    icon: UsersRound,
    section: 'Site',
    tab: 'Users',
  },
  { href: '/audit', label: 'Audit', icon: FileClock, section: 'Site' },
  { href: '/settings', label: 'Settings', icon: Settings, section: 'Site' },
]

/** Pages that the rail does not show: tabs of its pages, and those that other pages link to. */
const further: readonly Place[] = [
  {
    href: '/runs/conversations',
    label: 'Conversations',
    role: 'member',
    under: '/runs',
    tab: 'Conversations',
  },
  {
    href: '/runs/panels',
    label: 'Panels',
    role: 'member',
    under: '/runs',
    tab: 'Panels',
  },
  {
    href: '/approvals/decided',
    label: 'Decided approvals',
    role: 'member',
    under: '/approvals',
    tab: 'Decided',
  },
  {
    href: '/checks/suites',
    label: 'Suites',
    role: 'member',
    under: '/checks',
    tab: 'Suites',
  },
  {
    href: '/schedules',
    label: 'Schedules',
    under: '/tasks',
    tab: 'Schedules',
  },
  {
    href: '/approvals/rules',
    label: 'Rules',
    under: '/tools',
    tab: 'Rules',
  },
  {
    href: '/tools/explain',
    label: 'Explain',
    under: '/tools',
    tab: 'Explain',
  },
  {
    href: '/tools/try-change',
    label: 'Try a change',
    under: '/tools',
    tab: 'Try a change',
  },
  {
    href: '/tools/policy-cases',
    label: 'Policy cases',
    under: '/tools',
    tab: 'Policy cases',
  },
  ...resourceNouns.map(
    (noun): Place => ({
      href: pathOf(noun),
      label: headingOf(noun),
      under: '/resources',
      tab: headingOf(noun),
    }),
  ),
  {
    href: '/channels',
    label: 'Channels',
    under: '/resources',
    tab: 'Channels',
  },
  {
    href: '/models',
    label: 'Models',
    under: '/connections',
    tab: 'Models',
  },
  {
    href: '/connect',
    label: 'Connect a model',
    under: '/connections',
  },
  {
    href: '/budgets',
    label: 'Budgets',
    under: '/usage',
    tab: 'Budgets',
  },
  {
    href: '/groups',
    label: 'Groups',
    under: '/users',
    tab: 'Groups',
  },
  {
    href: '/memory/people',
    label: 'Memory of people',
    under: '/users',
    tab: 'Memory',
  },
  {
    href: '/settings/site-file',
    label: 'Site file',
    under: '/settings',
  },
  {
    href: '/settings/backups',
    label: 'Backups',
    under: '/settings',
  },
  {
    href: '/account',
    label: 'Your account',
    role: 'member',
    tab: 'Account',
  },
  {
    href: '/memory',
    label: 'Memory',
    role: 'member',
    under: '/account',
    tab: 'Memory',
  },
]

/** Returns the pages that the rail shows a role. */
export function destinationsFor(role: Role): Destination[] {
  return rail.filter((each) => isFor(each, role))
}

/** Returns every page that a role can open by name: those of the rail, then the others. */
export function placesFor(role: Role): Place[] {
  return [...rail, ...further].filter((each) => isFor(each, role))
}

function isFor(destination: Place, role: Role): boolean {
  return role === 'admin' || destination.role !== undefined
}

/** Returns the page that a path belongs to: `/runs/abc` to Runs, `/tools/explain` to Tools. */
export function destinationAt(pathname: string): Place | undefined {
  return destinationsAt(pathname)[0]
}

/** Returns the page that a path belongs to, with those above it: for `/models/abc`, Connections and Models. */
export function destinationsAt(pathname: string): Place[] {
  const isAbove = ({ href }: Place) => pathname === href || pathname.startsWith(`${href}/`)
  const [nearest] = [...further, ...rail]
    .filter(isAbove)
    .toSorted((a, b) => b.href.length - a.href.length)
  if (!nearest) return []
  const above = [...rail, ...further].find(({ href }) => href === nearest.under)
  return above ? [above, nearest] : [nearest]
}

/** Returns the pages that are shown as tabs on one of them; none on any other page. */
export function tabsAt(pathname: string, role: Role): Place[] {
  const page = destinationsAt(pathname).at(-1)
  if (page?.href !== pathname || page.tab === undefined) return []
  const root = page.under ?? page.href
  const all = [...rail, ...further].filter(
    (each) => each.tab !== undefined && (each.under ?? each.href) === root && isFor(each, role),
  )
  return all.length > 1 ? all : []
}

/** Returns the page of the rail to which a page belongs; undefined = it belongs to the account. */
export function railPageOf({ href, under = href }: Place): Destination | undefined {
  return rail.find((each) => each.href === under)
}

/** Returns the addresses of a page of the rail and of those that belong to it. */
export function addressesOf({ href }: Place): string[] {
  return [href, ...further.filter(({ under }) => under === href).map((each) => each.href)]
}
