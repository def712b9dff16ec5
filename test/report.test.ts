import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { scoreResults } from '../src/app/score-results.ts'
import { readSettings } from '../src/app/settings.ts'
import { openChromium, openFile } from './support/chromium.ts'
import { manyWishes, openResultFolder, type ResultFolder } from './support/results.ts'

const ITEMS = 1_000
const HOSTILE = '</script><script>document.title = "taken"</script><img src=x onerror="document.title = 1">'

/** Runs in the page: texts of charts that leave their figure, and pairs that overlap. */
const WORDS_OUT_OF_PLACE = `[...document.querySelectorAll('figure')].flatMap((figure) => {
  const around = figure.getBoundingClientRect()
  const words = [...figure.querySelectorAll('svg text')].map((text) => ({
    said: [...text.childNodes].find(({ nodeType }) => nodeType === Node.TEXT_NODE)?.data,
    box: text.getBoundingClientRect(),
  }))
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom
  return [
    ...words.filter(({ box }) => box.left < around.left || box.right > around.right).map(({ said }) => said + ' leaves'),
    ...words.flatMap(({ said, box }, n) =>
      words.slice(n + 1).filter((other) => meet(box, other.box)).map((other) => said + ' meets ' + other.said),
    ),
  ]
})`

const textIn = async (page: Page, selector: string): Promise<string> =>
  (await page.locator(selector).first().textContent()) ?? ''

/** One report of a thousand items, compared with another set, and one whose texts try to be more than texts. */
describe('the report in Chromium', () => {
  let browser: Browser
  let bench: ResultFolder
  const reportOf = (name: string): string => join(bench.folder, name, 'report.html')

  before(async () => {
    bench = openResultFolder()
    const [before, now] = [bench.write('before', manyWishes(100, 1, 0.58)), bench.write('now', manyWishes(ITEMS, 1))]
    const hostile = {
      id: HOSTILE,
      question: HOSTILE,
      answer: HOSTILE,
      prediction: HOSTILE,
      calls: [HOSTILE],
      fields: { level: HOSTILE },
    }
    const set = [hostile, { ...hostile, id: 'b', error: HOSTILE, fields: { level: 'x' } }]
    const folders = [
      [before, now],
      [bench.write('hostile', [set]), bench.write(HOSTILE.replaceAll('/', ' '), [set])],
    ]
    for (const results of folders) {
      const request = { results, judge: 'normalised', folder: bench.folder, concurrency: 20, limits: {} }
      await scoreResults(request, readSettings({}), { signal: new AbortController().signal })
    }
    browser = await openChromium()
  })
  after(async () => {
    await browser?.close()
    bench[Symbol.dispose]()
  })

  test('it asks nobody for anything, complains of nothing, and is drawn in light and in dark', async () => {
    const { page, requests, complaints } = await openFile(browser, reportOf('now'), {})
    assert.equal(await page.locator('figure svg').count(), 5)
    const shoot = async (colorScheme: 'light' | 'dark') => {
      await page.emulateMedia({ colorScheme })
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor')
      return { pixels: await page.screenshot(), background }
    }
    const [light, dark] = [await shoot('light'), await shoot('dark')]
    for (const { pixels } of [light, dark]) assert.ok(pixels.length > 20_000, 'a blank page is a few kilobytes')
    assert.ok(!light.pixels.equals(dark.pixels))
    assert.notEqual(light.background, dark.background)
    assert.deepEqual([requests, complaints], [[], []])
    await page.context().close()
  })

  test('of a thousand items only those that can be seen are there; every one can be reached, found and opened', async () => {
    const { page, requests, complaints } = await openFile(browser, reportOf('now'), {})
    const rows = page.locator('.row')
    assert.ok((await rows.count()) < 60)
    assert.match(await textIn(page, '#count'), /^1,000 of 1,000$/)
    await page.locator('#list').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.locator(`.row[href="#item-${ITEMS - 1}"]`).click()
    assert.match(await textIn(page, '#item .question'), /the 1000th road/)
    assert.equal(await page.locator('#item .attempt').count(), 1)
    assert.match(await textIn(page, '#item .attempt'), /tao show run-item-999-1[\s\S]*rollout-1\.jsonl, line 1000/)
    await page.locator('#item summary').first().click()
    assert.equal(await textIn(page, '#item .part.result pre'), 'found')
    await page.keyboard.press('Escape')
    await page.locator('#filters [name=words]').fill('item-77')
    assert.equal(await textIn(page, '#count'), '11 of 1,000') // 77 and 770 to 779
    await page.locator('#filters [name=words]').fill('')
    await page.locator('#filters [name=verdict]').selectOption('none')
    await page.locator('#filters [name=order]').selectOption('turns')
    assert.equal(await page.locator('.mark.c').count(), 0)
    assert.deepEqual([requests, complaints], [[], []])
    await page.context().close()
  })

  test('it can be gone through by keys alone, and its title says where one is', async () => {
    const { page, complaints } = await openFile(browser, reportOf('now'), {})
    const focused = (): Promise<unknown> => page.evaluate('document.activeElement.getAttribute("href")')
    await page.locator('#filters [name=order]').focus()
    for (let tab = 0; tab < 30; tab++) await page.keyboard.press('Tab')
    assert.equal(await focused(), '#item-29')
    await page.keyboard.press('ArrowDown')
    assert.equal(await focused(), '#item-30')
    await page.keyboard.press('End')
    assert.equal(await focused(), `#item-${ITEMS - 1}`)
    await page.keyboard.press('Enter')
    await page.locator('#item h1').waitFor()
    assert.equal(await page.title(), `item-${ITEMS - 1} · now · scores`)
    assert.match(String(await page.evaluate('document.activeElement.textContent')), /the 1000th road/)
    await page.keyboard.press('Escape')
    await page.locator('#list').waitFor()
    assert.deepEqual([await focused(), await page.title()], [`#item-${ITEMS - 1}`, 'now · scores'])
    assert.deepEqual(complaints, [])
    await page.context().close()
  })

  test('no words of a chart stand in each other or outside of it, on a wide screen and on a narrow one', async () => {
    for (const name of ['now', HOSTILE.replaceAll('/', ' ')]) {
      const { page } = await openFile(browser, encodeURI(reportOf(name)), {})
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        assert.deepEqual(await page.evaluate(WORDS_OUT_OF_PLACE), [], `${name} at ${width}`)
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${name} at ${width}`)
      }
      await page.context().close()
    }
  })

  test('what models and datasets wrote is shown as it is and does nothing', async () => {
    const name = HOSTILE.replaceAll('/', ' ')
    const { page, requests, complaints } = await openFile(browser, encodeURI(reportOf(name)), {})
    await page.locator('.row').first().click()
    assert.equal(await textIn(page, '#item .question'), HOSTILE)
    assert.equal(await textIn(page, '#item .said'), HOSTILE)
    await page.locator('#item summary').first().click()
    await page.locator('#item pre').first().waitFor()
    assert.match(await page.title(), /scores$/)
    assert.equal(await page.locator('img').count(), 0)
    assert.deepEqual([requests, complaints], [[], []])
    await page.context().close()
  })

  test('no script but its own may run, and nothing may be loaded', () => {
    assert.match(
      readFileSync(reportOf('now'), 'utf8'),
      /content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-[\w+/=]+'"/,
    )
  })
})
