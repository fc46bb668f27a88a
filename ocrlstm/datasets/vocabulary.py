"""Common English words by kind, from which `sentences` builds sentences.

Written for this project. Nouns and verbs are given in one form each; the others follow by rule, so
verbs with an irregular past stand in a table of their own.
"""

__all__ = [
    "ABSTRACT_NOUNS",
    "ADJECTIVES",
    "ADVERBS",
    "FIRST_NAMES",
    "FOREIGN_WORDS",
    "IRREGULAR_VERBS",
    "MONTHS",
    "NOUNS",
    "PEOPLE",
    "PLACES",
    "PREPOSITIONS",
    "SURNAMES",
    "VERBS",
    "WEEKDAYS",
]

NOUNS = """
account acre actor address afternoon age agent air alley amount anchor angle animal answer ant
apple apron arch arm arrow article ash attic autumn axe badge bag ball band bank bar bark barn
barrel basin basket bath battle bay beach beak beam bean beard bed bee bell bench berry bill bird
blade blanket blaze block boat body bolt bone book boot border bottle boundary bow bowl box branch
breeze brick bridge brook broom brush bucket building bullet bundle button cabin cable cage cake
calendar camp canal candle cane cannon canvas cap cape card cargo carpet carriage cart case castle
catalogue cattle cave ceiling cellar century chain chair chalk chamber channel chapel chapter
chart chest chimney church circle circus city clause clay cliff clock cloth cloud club coach coal
coast coat coin collar college colony colour column comb committee compass cone copper copy cord
corn corner cottage cotton council counter country county court cover cow cradle crane crate creek
crop cross crowd crown crust cup cupboard curtain cushion custom dam dance date dawn deck deer
desk diamond diary dictionary dish district ditch dock document dog dome donkey door dot drain
drawer drawing dress drop drum duck dust eagle ear earthquake edge egg elbow elm emperor empire
engine engraving envelope estate evening exhibit eye eyebrow fabric face factory fair farm feather
fence ferry festival fiddle field fig figure finger fire fireplace flag flame flask fleet flock
flood floor flour flower flute fog footstep forest fork fort fountain fox frame frigate frost
fruit funnel garden garment gate gazette glass globe glove goat granary grape grave gravel ground
group guitar gun gutter hall hammer hand handkerchief handle harbour harvest hat hatchet hawk hay
head hearth hedge heel hen herb highway hill hinge hive hole hook horizon horn horse hospital
hotel hour house hut index infant ink inn inscription insect instrument iron island ivory jacket
jar jaw jewel journal journey jug junction jungle kettle key kiln kingdom kitchen kite knee knot
label lace ladder lake lamp lane lantern law lawn ledger leg lemon letter lever library lid light
line lion lip list lock log loom lot machine magazine magnet mail manuscript map marble margin
market mask mast match meadow meal medal melody memory merchant-ship message metal mill mineral
mine minute mirror mist mixture moment monastery monument moon morning mosquito motor mountain
mouth museum nail narrative nation neck needle nest net newspaper night nose note notebook number
nut oak oar ocean office onion opera orange orchard orchestra ornament oven owl ox-cart package
page pail paint palace palm pamphlet panel paper parcel parish park parliament passage path
pattern pavement pearl pebble pen pencil pepper petal photograph piano picture piece pier pig
pillar pillow pin pine pipe pistol plain planet plank plant plate platform plough plum pocket poem
point pond porch port portrait post pot potato pound prison prize problem procession province
purse pyramid quarry quarter queue quilt rabbit rafter railway rainbow ranch rat razor record reed
reef regiment region rein ribbon rice-field rifle ring river road robe rock roof room root rope
rose route row rudder rug ruin sack saddle sail salad sample sand sauce saw scale scarf school
screen screw sculpture sea season seat section seed shadow shawl shed sheet shell shelf-mark ship
shirt shoe shop shore shoulder shower shrine shrub sign signal silver-mine sister-ship skirt sky
slope smith snail snake sock sofa soldier song soup spade spear spice spider spoon spring square
squirrel stable stage stair stamp star station statue steam-engine stem step stocking stone stool
storm story stove stranger straw stream street string studio suburb sum summer summit supper
surface swamp swan sword symbol table tablet tail tale tape target temple tent terrace text
theatre thread throne thumb ticket tide tiger timber title tomb tongue tool tower town toy track
trade-wind train tray treasure treaty tree trench tribe trumpet trunk tub tube tunnel turnip
turtle umbrella valley vase vault vehicle veil vessel village vine violin volcano volume voyage
wagon waist wall wardrobe warehouse waterfall wave week weight well wharf wheel whip whistle wick
widow-house willow wind window wing winter wire wood workshop world wreck wrist yard year zebra
zone
""".split()

ABSTRACT_NOUNS = """
ability absence advice affection ambition anger attention authority beauty belief business caution
charity comfort commerce confidence confusion conscience courage curiosity custom danger darkness
death delight despair dignity distance duty education effort enthusiasm evidence evil exercise
existence experience failure faith fame fashion fear folly fortune freedom friendship generosity
glory grace gratitude grief happiness health history honour hope hunger ignorance imagination
importance industry influence information justice kindness knowledge labour laughter leisure
liberty life love luck luxury machinery mercy mischief misery money music nature necessity
obedience order pain passion patience peace permission philosophy pleasure poverty power practice
pride progress property prosperity prudence reason religion revenge sadness safety science secrecy
silence simplicity skill sleep society sorrow speech spirit strength success suspicion sympathy
taste thought time trade tradition truth value vanity victory violence virtue warmth wealth
weather wisdom wit wonder work youth zeal
""".split()

PEOPLE = """
admiral apprentice artist aunt author baker barber beggar bishop blacksmith boatman bookseller boy
brother butcher butler captain carpenter clerk coachman colonel companion cook cousin curate
daughter doctor duke editor engineer farmer father fisherman friend gardener general gentleman
girl governor grandfather guard guest hunter innkeeper inspector judge king knight lady landlord
lawyer lieutenant magistrate maid major master mayor merchant messenger miller miner minister monk
mother musician neighbour nephew niece nurse officer painter passenger philosopher pilot poet
policeman porter postman president priest prince princess printer prisoner professor pupil queen
sailor scholar sculptor secretary senator sergeant servant sexton shepherd shoemaker sister son
soldier stranger student surgeon tailor teacher traveller uncle vicar visitor waiter weaver widow
witness workman
""".split()

ADJECTIVES = """
able absent active ancient angry anxious awkward bad bare beautiful bitter black blind blue bold
brave brief bright broad broken brown busy calm careful careless cautious celebrated central
certain cheap cheerful chief circular civil clean clear clever cloudy cold comfortable common
complete considerable constant convenient cool correct cruel curious daily damp dangerous dark
dead deaf dear deep delicate dense different difficult dirty distant distinct double doubtful
dreadful dry dull eager early eastern easy elaborate elder elegant empty enormous entire equal
excellent extensive extraordinary faint fair faithful false familiar famous fatal favourable
feeble fertile few fierce fine firm flat fond foolish foreign formal former fortunate fragile free
frequent fresh friendly full general generous gentle genuine gigantic glad gloomy golden good
graceful gradual grand grateful grave great greedy green grey handsome happy hard harmless harsh
hasty healthy heavy hidden high hollow holy honest horizontal hot huge human humble hungry idle
ill immense important impossible industrial innocent interesting internal invisible jealous joyful
just keen kind large late lazy lean liberal light liquid literary little lively local lofty lonely
long loose loud lovely low loyal lucky mad magnificent main married medical melancholy merry
mighty mild military miserable modern modest moist moral mournful musical mysterious naked narrow
national native natural near neat necessary new noble noisy northern numerous obscure obvious odd
official old open opposite ordinary original oval painful pale parallel particular patient
peaceful peculiar perfect permanent plain pleasant polite poor popular precious present pretty
previous private probable prominent proper proud public pure quaint queer quick quiet rapid rare
raw ready real recent red regular remarkable remote respectable rich ridiculous ripe rough round
royal rude rural sacred sad safe salt savage scanty scarce secret secure sensible separate serious
severe shallow sharp short shy silent silver similar simple sincere single slender slight slow
small smooth sober social soft solemn solid solitary southern spacious special splendid square
steady steep sticky stiff strange strict strong stupid sudden sufficient sunny superior sure sweet
swift tall tame tender terrible thick thin thirsty thorough tidy tight tiny tired tough tranquil
true ugly unhappy uniform universal unknown upright useful usual vacant vague vain valuable
various vast vertical vigorous violent visible vivid warm weak wealthy weary western wet white
whole wicked wide wild willing wise wonderful wooden worthy wretched yellow young
""".split()

ADVERBS = """
again almost already altogether always apart badly barely boldly briefly carefully certainly
chiefly clearly closely commonly completely constantly curiously daily directly distinctly eagerly
early easily entirely equally evidently exactly exceedingly fairly finally firmly formerly
fortunately freely frequently gently gladly gradually greatly happily hardly hastily heartily
heavily here hitherto honestly immediately indeed instantly justly kindly largely lately likewise
loudly mainly merely merrily moreover mostly naturally nearly neatly never nevertheless nowhere
obviously often once openly ordinarily partly patiently perfectly perhaps plainly politely
possibly presently probably promptly properly quickly quietly rapidly rarely readily really
recently regularly scarcely secretly seldom separately seriously severely shortly silently simply
slightly slowly softly sometimes somewhat soon steadily still strangely strongly suddenly surely
swiftly there therefore thoroughly thus together tolerably truly twice usually utterly vainly
warmly wholly widely willingly yesterday
""".split()

VERBS = """
accept acquire add admire admit adopt advance advise agree allow alter announce answer appear
appoint approach arrange arrest ask assist attack attempt attend avoid bathe believe belong betray
boil borrow bury call carry cause celebrate change charge chase claim climb close collect command
compare complain complete conceal conclude conduct confess confirm connect consider construct
consult contain continue convey cook correct count cover cross crush cultivate cure damage dance
decide declare decline defend delay deliver demand deny depend describe deserve desire destroy
develop die direct discover discuss dismiss display divide doubt dress drown earn employ enclose
encourage enjoy enter escape establish examine exchange excite exclaim execute exhibit expect
explain explore express extend fail fasten fear fetch fill finish fix float follow force form
found furnish gain gather govern grant grasp greet guard guess guide handle happen hasten hate
heal help hire hope hunt hurry imagine imitate improve include increase inform inhabit inherit
injure inquire insist inspect intend introduce invent invite join judge jump kill kiss knock land
last laugh launch lift listen live load look love manage mark marry measure mend mention mistrust
mix mount move murmur need neglect notice obey oblige observe obtain occupy offer open oppose
order owe paint pardon pass pause perform permit persuade place plant play plunge point polish
possess pour praise prefer prepare present preserve press prevent proceed produce promise
pronounce propose protect prove provide publish pull punish purchase pursue push question quarrel
raise reach receive recognise recommend recover refuse regret rejoice relate release relieve
remain remark remember remind remove repair repeat reply report represent request require rescue
resemble resist resolve respect rest restore return reveal roast roll ruin sail satisfy save
search seize select separate serve settle share shout sketch smile smoke sneeze sound spare stare
start starve state stay stretch struggle study succeed suffer suggest supply support suppose
surprise surround suspect talk taste tempt thank threaten touch trace train translate travel treat
tremble trust try turn unite urge use vanish visit wait walk wander want warn wash waste watch
weigh whisper wish wonder work worship wound yield
""".split()

# base, past, past participle
IRREGULAR_VERBS = tuple(
    tuple(entry.split("/"))
    for entry in """
begin/began/begun bind/bound/bound blow/blew/blown break/broke/broken bring/brought/brought
build/built/built buy/bought/bought catch/caught/caught choose/chose/chosen draw/drew/drawn
drink/drank/drunk drive/drove/driven eat/ate/eaten feel/felt/felt fight/fought/fought
find/found/found forget/forgot/forgotten forgive/forgave/forgiven give/gave/given hear/heard/heard
hide/hid/hidden hold/held/held keep/kept/kept know/knew/known lay/laid/laid lead/led/led
leave/left/left lend/lent/lent lose/lost/lost make/made/made mistake/mistook/mistaken
pay/paid/paid read/read/read ride/rode/ridden ring/rang/rung say/said/said see/saw/seen
sell/sold/sold send/sent/sent shake/shook/shaken show/showed/shown sing/sang/sung
speak/spoke/spoken spend/spent/spent steal/stole/stolen strike/struck/struck sweep/swept/swept
take/took/taken teach/taught/taught tear/tore/torn tell/told/told think/thought/thought
throw/threw/thrown understand/understood/understood wear/wore/worn weave/wove/woven win/won/won
write/wrote/written
""".split()
)

PREPOSITIONS = """
about above across after against along amid among around at before behind below beneath beside
between beyond by down during for from in into near of off on opposite over past round since
through throughout to toward towards under until unto up upon with within without
""".split()

FIRST_NAMES = """
Abigail Adam Agnes Albert Alexander Alice Amelia André Andrew Anna Anthony Arthur Barbara Beatrice
Benjamin Caroline Catherine Cecil Charles Charlotte Christopher Clara Daniel David Dorothy Edgar
Edith Edmund Edward Eleanor Elizabeth Ellen Emily Ernest Esther Eugène Felix Florence Frances
Francis Frederick Geoffrey George Gertrude Gilbert Grace Hannah Harold Harriet Helen Henry Herbert
Hugh Isaac Isabel Jacob James Jane Jeremiah Joan John Jonathan Joseph Joshua Josephine Julia
Katharine Kurt Laura Lawrence Leonard Lewis Lucy Lydia Margaret Maria Mark Martha Martin Mary
Matilda Matthew Michael Nathaniel Nicholas Oliver Patrick Paul Peter Philip Quentin Rachel Ralph
Rebecca Richard Robert Roger Rose Rupert Ruth Samuel Sarah Silas Simon Sophia Stephen Susan
Theodore Thomas Timothy Ursula Victor Victoria Vincent Violet Walter William Xavier Yvonne Zachary
""".split()

SURNAMES = """
Abbott Adams Alderson Armstrong Atkinson Bailey Barlow Barrett Baxter Bennett Blackwood Boyd
Bradshaw Briggs Brown Burton Byrne Caldwell Campbell Carter Chapman Clarke Coleman Cooper Crawford
Cunningham Davies Dawson Dixon Douglas Drummond Duncan Dyer Edwards Elliott Evans Farquhar Fenwick
Fitzgerald Fletcher Foster Fraser Gibson Goodwin Graham Greenwood Griffiths Hall Hamilton
Harrington Hawkins Hendrickson Higgins Holloway Hopkins Howard Hughes Hutchinson Ingram Irving
Jackson Jenkins Johnson Jones Kavanagh Kennedy Kerr Kingsley Knox Lambert Langley Lloyd MacDonald
MacKenzie Marsh Matthews McGregor Mitchell Montague Moore Morrison Müller Nash Newton Norris
O'Brien O'Connor Oakley Osborne Owen Palmer Parker Pemberton Phillips Porter Pritchard Quincey
Ramsay Reynolds Roberts Robinson Russell Sanderson Saunders Schäfer Shaw Sinclair Smith Stewart
Sullivan Sutherland Taylor Thackeray Thompson Tucker Turner Underwood Vaughan Wakefield Walker
Wallace Watkins Webster Whitaker Wilkinson Williams Wright Yates Young Zimmermann
""".split()

PLACES = """
Aberdeen Africa Alexandria America Amsterdam Antwerp Athens Australia Austria Baltimore Bath
Belfast Berlin Birmingham Bombay Bordeaux Boston Brazil Brighton Bristol Brussels Cairo Calcutta
Cambridge Canada Canterbury Carlisle Chester Chicago China Cologne Constantinople Copenhagen Cork
Cornwall Damascus Denmark Devonshire Dover Dublin Durham Edinburgh Egypt England Europe Exeter
Florence France Geneva Genoa Germany Gibraltar Glasgow Greece Greenwich Halifax Hamburg Hampshire
Havana Holland Hungary Iceland India Inverness Ireland Italy Jamaica Japan Jerusalem Kent
Lancashire Leeds Leicester Lisbon Liverpool London Madrid Malta Manchester Marseilles Melbourne
Mexico Milan Montreal Moscow Munich Naples Newcastle Norfolk Norway Nottingham Oxford Paris Pekin
Persia Philadelphia Plymouth Poland Portugal Prague Quebec Richmond Rome Rotterdam Russia
Salisbury Scotland Seville Sheffield Sicily Southampton Spain Suffolk Sussex Sweden Switzerland
Sydney Turin Turkey Venice Vienna Virginia Wales Warsaw Washington Westminster Winchester Windsor
York Yorkshire Zanzibar Zürich
""".split()

FOREIGN_WORDS = """
Ægean æsthetic Æsop après-midi attaché Ångström bête-noire blasé café cañon château Citroën cliché
Córdoba coöperate crème crêpe curaçao débris début Düsseldorf élan élite façade fête flûte
français garçon Göteborg Göttingen hôtel Île-de-France Köln Königsberg Málaga mañana manœuvre
mêlée Møller naïve œuvre Œdipus öre pâté piñata précis protégé régime rôle São señor smörgåsbord
soufflé Straße Tübingen Übermut Voilà voilà Weißenburg Århus Noël Übersee Ärger Örebro Élysée
château-fort tête-à-tête vis-à-vis
""".split()

MONTHS = """
January February March April May June July August September October November December
""".split()

WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
