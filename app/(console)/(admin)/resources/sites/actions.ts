'use server'
import { siteVerbs } from '@toolgate/server/domains/sites/verbs'
import { action } from '@/lib/next/action'
import { checkSite } from '@toolgate/server/probes/check-site'

export const addSite = action(siteVerbs.create)
export const changeSite = action(siteVerbs.update)
export const removeSite = action(siteVerbs.remove)
export const checkPages = action(checkSite)
