'use server'
import { siteVerbs } from '@toolgate/server/domains/sites/verbs'
import { checkSite } from '@toolgate/server/probes/check-site'
import { action } from '@/lib/next/action'

export const addSite = action(siteVerbs.create)
export const changeSite = action(siteVerbs.update)
export const removeSite = action(siteVerbs.remove)
export const checkPages = action(checkSite)
