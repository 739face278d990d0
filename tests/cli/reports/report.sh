# A recorded run as Markdown, HTML and PDF: each has every comparison, and is a file that others can read.
aisp bench report; echo $?
aisp store import "$SOURCE/tests/recorded/screen/store.jsonl" >/dev/null || exit 9
run=20261128T1400
aisp bench report $run | sed 's|.*/||'
aisp bench report $run --format html --output page.html | sed 's|.*/||'
aisp bench report $run --format pdf --output pages.pdf >/dev/null
# The HTML asks for nothing from elsewhere.
grep -cE '<script|(src|href)="[^#]|url\(|https?://' page.html
for word in 'class="forest"' 'class="card"' 'class="roofline"' 'Environment' 'Calibration'; do
    grep -q "$word" page.html || echo "the page has no $word"
done
# Poppler reads the PDF, says nothing of it, and finds each row.
pdfinfo pages.pdf | grep -E '^(Title|Page size|Encrypted)'
pages=$(pdfinfo pages.pdf | sed -n 's/^Pages: *//p')
[ "$pages" -ge 2 ] && [ "$pages" -le 8 ] || echo "it has $pages pages"
pdftotext -layout pages.pdf text
aisp bench export $run --format csv | tr -d '\r' | awk -F, 'NR > 1 { print $6; print $7 }' | sort -u >names
[ -s names ] || echo "no names"
while read -r name; do grep -qF -- "$name" text || echo "$name is not in the PDF"; done <names
grep -c "page [0-9]* of $pages" text | grep -qx "$pages" || echo "pages are not numbered"
pdftoppm -r 40 -gray pages.pdf picture
[ "$(ls picture* | wc -l)" = "$pages" ] || echo "not every page could be drawn"
aisp bench report $run --format docx; echo $?
aisp bench report $run --format pdf --output /no/such/place.pdf; echo $?
