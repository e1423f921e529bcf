/** Official name of a region → its English name, its everyday short forms, and the regions that merged into it in 2016. */
export const OTHER_NAMES_OF_REGIONS: Readonly<Record<string, readonly string[]>> = {
  'Auvergne-Rhône-Alpes': ['Auvergne', 'Rhône-Alpes', 'ARA', 'AURA'],
  'Bourgogne-Franche-Comté': ['Bourgogne', 'Franche-Comté', 'Burgundy', 'Burgundy-Franche-Comté', 'BFC'],
  Bretagne: ['Brittany'],
  'Centre-Val de Loire': ['Centre', 'Centre-Loire Valley', 'CVL'],
  Corse: ['Corsica'],
  'Grand Est': ['Alsace', 'Champagne-Ardenne', 'Champagne-Ardennes', 'Lorraine'],
  'Hauts-de-France': ['Nord-Pas-de-Calais', 'Picardie', 'Picardy', 'HDF', 'NPDC'],
  'Île-de-France': ['IDF', 'Région parisienne', 'Paris Region'],
  Normandie: ['Basse-Normandie', 'Haute-Normandie', 'Normandy', 'Lower Normandy', 'Upper Normandy'],
  'Nouvelle-Aquitaine': ['Aquitaine', 'Limousin', 'Poitou-Charentes', 'New Aquitaine', 'NAQ'],
  Occitanie: ['Languedoc-Roussillon', 'Midi-Pyrénées', 'Occitania'],
  'Pays de la Loire': ['Pays de Loire', 'PDL'],
  "Provence-Alpes-Côte d'Azur": ['PACA', 'Région Sud'],
};
